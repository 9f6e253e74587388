declare const examples: Record<string, string>
export default examples
