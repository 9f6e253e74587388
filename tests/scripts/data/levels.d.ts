declare const levels: Record<string, Record<string, string>>
export default levels
