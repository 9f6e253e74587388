declare const knownNumbers: ExportedOperations
export default knownNumbers
