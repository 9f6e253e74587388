declare const training: {
  letters: string[]
  rounding: number
  models: Record<string, Record<string, ExportedTraining>>
}
export default training
