declare const training: { letters: string[]; models: Record<string, Record<string, ExportedTraining>> }
export default training
