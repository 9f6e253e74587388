declare const exercises: Exercises
export default exercises
