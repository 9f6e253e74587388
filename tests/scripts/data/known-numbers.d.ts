declare const knownNumbers: KnownNumbers
export default knownNumbers
