/* Returns an account of `text` in the form that reading/ returns, for tests of how accounts are shown; null for a few
 * texts, such as "hello". The lines are not really judged: the verdict on a line with a number depends only on its
 * position. */
;(text) => {
  if (/^(hello|1+|\s*)$/.test(text)) return null
  const sources = text.split("\n")
  const heads = { page: "parts/heads.html#masked-lm", text: "masked-LM head" }
  const line = (source, index) => {
    const unreadLine = { source, part: [], stated: null, right: null, verdict: "not read", times: 1 }
    const [name, number] = [/[A-Za-z][\w.]+/.exec(source)?.[0] ?? "", Number(/[\d,]{4,}/.exec(source)?.[0].replaceAll(",", ""))]
    if (!number) return unreadLine
    const correctLine = { ...unreadLine, part: [{ page: "parts/attention.html", text: "query matrix" }, " of a layer"], stated: number, right: number }
    if (index === 3) return { ...correctLine, verdict: "wrong", right: number + 1024 }
    if (index === 5) return { ...correctLine, verdict: "counted twice", part: [heads, ", decoder ", { code: "cls.predictions.decoder" }] }
    if (index === 7) return { ...correctLine, verdict: "right", times: 12, right: 7087872 }
    if (index === 9) return { ...correctLine, verdict: "unknown", part: [], right: null }
    if (index === 11) return { ...correctLine, verdict: "added" }
    if (index === 12) return { ...correctLine, verdict: "subtotal" }
    if (index === 13) return { ...correctLine, verdict: "rounded" }
    if (index === 14) return { ...correctLine, verdict: "not a parameter", right: 0 }
    return { ...correctLine, verdict: "right", part: [{ code: name }] }
  }
  return {
    kind: "rows",
    headline: [
      { page: "totals/checkpoints.html", text: "BERT base, Chinese" }, " as ", { code: "BertForMaskedLM" }, " has ",
      { number: 102290312 }, " parameters. Your print-out adds up to ", { number: 118538256 }, ": 16,247,944 too many.",
    ],
    findings: [
      { weight: 3, words: ["The decoder of the ", heads, " is printed again, although it is tied to the word embeddings. <b>Bold</b>"], amount: 16226304 },
      { weight: 2, words: ["The bias of the decoder is printed again."], amount: 21128 },
      { weight: 1, words: [{ code: "bert.embeddings.position_ids" }, " is a buffer, not a parameter."], amount: 512 },
      { weight: 0, words: ["The layers are numbered from zero, and all twelve are there."], amount: null },
    ],
    lines: sources.map(line),
    bridge: {
      start: 118538256, startLabel: "your print-out", end: 102290312, endLabel: "BERT base, Chinese (BertForMaskedLM)",
      steps: [
        { label: ["count the decoder once: it is tied to ", { page: "parts/embeddings.html", text: "the word embeddings" }], value: -16226304, formula: "V·H" },
        { label: ["count the bias once"], value: -21128, formula: "V" },
        { label: ["leave out ", { code: "position_ids" }], value: -512, formula: "P" },
      ],
    },
    model: { name: "bert-base-chinese", modelClass: "BertForMaskedLM", total: 102290312 },
    confidence: "certain",
  }
}
