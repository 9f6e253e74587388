declare const training: ExportedTraining
export default training
