declare const operations: ExportedOperations
export default operations
