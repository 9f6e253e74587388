"use strict"
// Tensors: counted instead of parameters.
{
  const { table, engine, ways } = bertCounted
  const { costs } = table.explanations
  const { EMPTY, berts, costOf, kinds, lazily } = ways

  const everyCount = lazily(() => {
    const names = engine.classesOf(berts[0].architecture)
    return berts.flatMap(({ name, sizes }) =>
      names.map((each) => ({ models: [name], classes: [each.name], number: engine.tensors(each.name, sizes) })),
    )
  })

  kinds.push(({ low, exact, amount }) =>
    everyCount()
      .filter(({ number }) => amount === "count" && exact && number === low)
      .map((each) => ({ ...EMPTY, ...each, kind: "tensors", cost: costs.ways.tensors + costOf(each) })),
  )
}
