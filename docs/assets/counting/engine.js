// @ts-nocheck
"use strict"
// Counting in the browser: the rules of macros/counting over the table that
// the build exports, data/table.js. Nothing about BERT is written here.
{
  const { table } = bertCounted

  // A dimension is a number or a letter.
  const dimension = (text) => (/^-?[0-9]+$/.test(text) ? Number(text) : text)
  const dimensions = (shape) => shape.split(" ").map(dimension)
  const sized = (dimension, sizes) => (typeof dimension === "number" ? dimension : sizes[dimension])
  const product = (shape, sizes) => shape.reduce((size, each) => size * sized(each, sizes), 1)

  const rows = table.rows.map((row) => ({
    ...row,
    dimensions: dimensions(row.shape),
    repeated: row.path.includes("layer_*"),
    tags: new Set([...row.path.split("/"), row.block, ...(row.tags ?? [])]),
  }))
  const classes = new Map(table.classes.map((each) => [each.name, each.rows.map((place) => rows[place])]))
  const models = new Map(table.models.map((each) => [each.name, each]))

  const liesUnder = (path, prefix) => !prefix || path === prefix || path.startsWith(`${prefix}/`)
  const hasTags = (row, tag) => !tag || tag.split(" ").every((each) => row.tags.has(each))

  const size = (row, sizes, oneLayer = false) =>
    product(row.dimensions, sizes) * (row.repeated && !oneLayer ? sizes.L : 1)

  const isOneLayer = (path) => /\blayer_[0-9]/.test(path)
  const select = (modelClass, path = "", tag = "") => {
    const prefix = path.replace(/\blayer_[0-9]+/, "layer_*")
    return classes.get(modelClass).filter((row) => liesUnder(row.path, prefix) && hasTags(row, tag))
  }

  // A factor such as "A", "−1" or "1/L" as what stands above and below the line.
  const quotient = (factor) => factor.replace("−", "-").split("/").concat("1").slice(0, 2).map(dimension)

  // A mistake with everything that follows from its fields.
  function mistake(fields) {
    const shapes = (fields.adds ?? fields.instead ?? "").split(",").map((each) => each.trim()).filter(Boolean)
    const factor = fields.factor ?? "1"
    const paths = (fields.part ?? "").split(", ")
    const touches = (row) =>
      (factor !== "1" || Boolean(fields.unties)) &&
      paths.some((path) => liesUnder(row.path, path)) && hasTags(row, fields.tag)
    const everywhere = fields.adds || fields.resized || fields.instead
    return {
      part: "",
      tag: "",
      resized: "",
      unties: false,
      ...fields,
      factor,
      touches,
      quotient: quotient(factor),
      shapes: shapes.map((each) => [each[0] === "-" ? -1 : 1, dimensions(each.replace("-", ""))]),
      letter: fields.resized?.[0] ?? "",
      madeIn: (modelClass) =>
        (!fields.classes || fields.classes.includes(modelClass)) &&
        Boolean(everywhere || classes.get(modelClass).some(touches)),
    }
  }
  const mistakes = new Map(table.mistakes.map((each) => [each.name, mistake(each)]))

  // The sizes that one counts with who takes another size for some letters.
  function resized(sizes, made) {
    const found = { ...sizes }
    for (const { resized: text, letter } of made) {
      if (!text) continue
      const other = text.split(" = ")[1]
      found[letter] = /^[0-9]+$/.test(other)
        ? Number(other)
        : other in sizes ? found[other] : models.get(other).sizes[letter]
    }
    return found
  }

  // By what a mistake multiplies, and by what it divides; with no layers there is nothing to share out among them.
  const multiplier = ({ quotient: [above, below] }, sizes) => [sized(above, sizes), sized(below, sizes) || 1]

  const added = (each, sizes) => each.shapes.reduce((sum, [sign, shape]) => sum + sign * product(shape, sizes), 0)

  // Parameters of a part, counted with some mistakes; null where a share is not whole.
  function count(modelClass, modelSizes, { path = "", tag = "", mistakes: names = [], tied = true } = {}) {
    const made = names.map((name) => mistakes.get(name))
    const sizes = resized(modelSizes, made)
    if (made.some((each) => each.instead)) return added(made[0], sizes)
    let total = 0
    for (const row of select(modelClass, path, tag)) {
      const touching = made.filter((each) => each.touches(row))
      if (row.tied_to && tied && !touching.some((each) => each.unties)) continue
      let [number, below] = [size(row, sizes, isOneLayer(path)), 1]
      for (const each of touching) {
        const [above, under] = multiplier(each, sizes)
        number *= above
        below *= under
      }
      if (number % below) return null
      total += number / below
    }
    return path || tag ? total : made.reduce((sum, each) => sum + added(each, sizes), total)
  }

  // Tensors of a class; one that shares another's weights is listed with its owner only.
  const tensors = (modelClass, sizes) =>
    classes.get(modelClass).reduce((sum, row) => sum + (row.tied_to ? 0 : row.repeated ? sizes.L : 1), 0)

  // An integer as read: thousands parted by commas, a true minus sign.
  const whole = (number) => String(number).replace(/\B(?=(?:[0-9]{3})+$)/g, ",").replace("-", "−")

  bertCounted.engine = {
    added, classes, count, dimensions, isOneLayer, liesUnder, mistakes, models, multiplier, product, resized, rows,
    select, size, tensors, whole,
  }
}
