declare const reading: ReadingWords
export default reading
