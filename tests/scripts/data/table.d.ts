declare const table: Table
export default table
