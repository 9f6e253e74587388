// Finds the parts of a model that the words next to a number refer to. A label need not be complete:
// "LayerNorm" alone refers to every LayerNorm, and match.js narrows it down by the words around it,
// such as the heading "Embeddings".
//
// Each technical term has one pattern for its forms in several languages, such as English,
// Chinese and German. The functions after the patterns decide which part a combination of such
// terms refers to. They try the narrowest first: "the output projection of attention" is the
// projection, although "attention" alone would be all of it.

/** A part that words may refer to: its rows, as a path and a tag of the exported table.
 * @typedef {{ path: string, tag: string }} PartMeant */

const EMBEDDINGS = "bert/embeddings"
const ENCODER = "bert/encoder"
const EMBEDDINGS_PROJECTION = "bert/embeddings_project"
const LAYER = `${ENCODER}/layer_*`

// Words for kinds of layers and tensors, in several languages.
const NORM = /layer ?_?norm|(?<![a-zà-ÿ])ln(?![a-zà-ÿ])|norm|归一化|規化|정규화|层归一|标准化|γ|gamma|nor?malis/i
const ATTENTION =
  /att[eé]n|aufmerksam|注意力|注意|어텐션|주의|アテンション|atenci|внимани|(?<![a-zà-ÿ])mha(?![a-zà-ÿ])/i
const FEED_FORWARD =
  /feed|(?<![a-zà-ÿ])ffn?(?![a-zà-ÿ])|(?<![a-zà-ÿ])mlp(?![a-zà-ÿ])|前[馈饋]|全连接|vorwärts|vollverbund|zwischenschicht|フィードフォワード|피드|順伝播|intermediate|(?<![a-zà-ÿ])(?:ffw|(?:fc|lin(?:ear)?)[ _]?[12](?![0-9]))|(?:up|down)[ _-]*(?:proj|dense|linear)|(?:first|second)[ _-]*(?:dense|linear)|(?<![a-zà-ÿ])(?:w_?[123]|b_?[12])(?![0-9a-z])/i
const EMBED =
  /embed|(?<![a-zà-ÿ])emb(?![a-zà-ÿ])|嵌入|einbett|plongement|incrustac|임베딩|埋め込み|词向量|эмбеддинг|输入层/i
const BIAS = /bias|(?<![a-zà-ÿ])b_?[12qkvo](?![a-z0-9])|偏置|偏差|(?<![a-zà-ÿ])sesgo|biais|편향|バイアス|verzerrung/i
const MATRIX = /weights? (?:only|matri)|matri|权重矩阵|gewichte|kernel/i

/** The words for the heads and the pooler. The first match counts, so the narrowest come first.
 * @type {[RegExp, PartMeant][]} */
const HEADS = [
  [/nsp|next.?sent|seq_relationship|下一句|下句|nächster satz|sop(?![a-zà-ÿ])/i, partAt("cls/seq_relationship")],
  [
    /prediction bias|output bias|decoder bias|lm_?head bias|mlm bias|输出偏置|预测偏置/i,
    partAt("cls/predictions/output_bias"),
  ],
  [/mlm (?:dense|transform)|transform(?!er)|lm_?head dense/i, partAt("cls/predictions/transform")],
  [/mlm|masked|lm.?head|(?<![a-zà-ÿ])cls\/?predictions|掩码|prediction head/i, partAt("cls/predictions")],
  [/pool|池化|プーラ|풀러/i, partAt("bert/pooler")],
  [/pre_?-?classifi|classifi\w*\.?(?:dense| dense)/i, partAt("sequence_classifier/dense")],
  [/classifi|分类|klassifi|clasific|label|logit|task head|분류/i, partAt("sequence_classifier")],
]

/** The words for the tables of the embeddings. @type {[RegExp, PartMeant][]} */
const TABLES = [
  [
    /segm|(?<![a-zà-ÿ])seg(?![a-zà-ÿ])|token.?type?|(?<![a-zà-ÿ])types?(?![a-zà-ÿ])|句子|段落?嵌入|分段|片段|段(?:向量|编码|嵌入)|(?<!\p{sc=Han})段(?!\p{sc=Han})|세그|セグメント|satz/iu,
    partAt(`${EMBEDDINGS}/token_type_embeddings`),
  ],
  [/posi|(?<![a-zà-ÿ])(?:pos|wpe)(?![a-zà-ÿ])|位置|위치|позиц/i, partAt(`${EMBEDDINGS}/position_embeddings`)],
  [
    /word|(?<![a-zà-ÿ])(?:tok|wte)(?![a-zà-ÿ])|token(?![ _-]?types?(?![a-zà-ÿ]))|vocab|词表|词嵌入|词向量|字(?:向量|嵌入)|(?<!\p{sc=Han})[词詞字](?!\p{sc=Han})|wort|mots?(?![a-zà-ÿ])|palabra|단어|토큰|単語|トークン|слов/iu,
    partAt(`${EMBEDDINGS}/word_embeddings`),
  ],
]

/** Words for the output projection of attention. */
const OUTPUT_PROJECTION =
  /(?:out(?:put)?|o)[ _-]*(?:proj|dense|linear|matrix|layer of att)|(?<![a-zà-ÿ])w_?o(?![a-zà-ÿ])|输出(?:投影|映射|矩阵|变换|层|线性)|拼接|concat|线性层|aus(?:gabe|gangs)-?(?:proj|matri)|projection de sortie|proyecci[oó]n de salida|出力射影|출력|projection$/i

/** Words for what follows the heads of attention: the output projection and its LayerNorm. */
const OUTPUT_OF_ATTENTION = /(?:att(?:entio)?n\w*|self)[ _.-]*out(?:put)?(?![a-zà-ÿ])/i
/** A dense layer called output, which may be that of attention or that of the feed-forward network. */
const ANY_OUTPUT = /^\W*out(?:put)?[ _.-]*(?:dense|linear)?\W*(?:[x×*(].*)?$/i

/** The part at a path. @param {string} path @param {string} [tag] @returns {PartMeant} */
function partAt(path, tag = "") {
  return { path, tag }
}

// The two dense layers of the feed-forward network.
const FIRST_DENSE =
  /first|(?<![a-zà-ÿ])up(?![a-zà-ÿ])|1st|fc1|lin1|(?<![0-9])1(?![0-9])|w_?[13](?![0-9])|intermediate|zwischen|expan|升维|第一|erste|premi|primer|(?:fc|ffn?|mlp)[ _-]*in(?=\W*(?:$|[x×*(]))/i
const SECOND_DENSE =
  /second|down|2nd|fc2|lin2|(?<![0-9])2(?![0-9])|w_?2|contract|降维|第二|zweite|deuxi|segund|(?<![a-zà-ÿ])output(?![a-zà-ÿ])|(?:fc|ffn?|mlp)[ _-]*out(?![a-zà-ÿ])/i
// The projections of attention.
const QUERY = /quer|(?<![a-zà-ÿ])w?_?q(?![a-zà-ÿ])|查询|a[bn]frage|(?<![a-zà-ÿ])w[^a-z]?q/i
const KEY = /(?<![a-zà-ÿ])keys?(?![a-zà-ÿ])|(?<![a-zà-ÿ])w?_?k(?![a-zà-ÿ])|键|schlüssel/i
const VALUE = /values?|(?<![a-zà-ÿ])w?_?v(?![a-zà-ÿ])|值|wert(?:e?(?![a-zà-ÿ])|e?-?(?:matri|proj))/i
const QKV = /qkv|q ?[,/&+ ]? ?k ?[,/&+ ]? ?v(?![a-zà-ÿ])/i
const QKVO = /q ?[,/&+ ]? ?k ?[,/&+ ]? ?v ?[,/&+ ]? ?(?:and |und |et |y )?o(?![a-zà-ÿ])/i
// Words for one layer, for several or all layers, and for any number of layers.
const PER_LAYER =
  /(?:each|every|per|one|single|a|1|in) (?:\w+ )?(?:layer|block)(?!s| ?norm)|(?:each|every one|jede[rs]?|chacune|cada una) (?:of|der|des|de las) (?:\w+ ){0,3}(?:layers|blocks|schichten|couches|capas)|每(?:一|个)?层|每个(?:编码)?层|单层|一层|(?<![0-9])1 ?层|层内|pro schicht|(?:je|jede[rs]?|eine|eine[rn]?) (?:schicht|layer)|(?:par|chaque|une) couche|(?:por|cada|una) capa|레이어당|한 레이어|(?<![0-9])1層|各層|一層|\/ ?layer|n_?layer$|layer$|layer\.[0-9]+$/i
const LAYERS =
  /([0-9]+) ?(?:x |× |\* )?(?:\w+ )?(?:layers?(?! ?norm)|blocks?|个?层|層|schichten|couches|capas|레이어|encoder)|(?:all|alle|toutes|todas)\b.*(?:layer|schicht|couche|capa|block)|encoder|编码器|编码层|전체 레이어|всех слоёв|transformer/i
const LAYER_WORD = /layer(?! ?norm)|block|层(?!归)|層|schicht(?!s?normal)|couche|capa|레이어/i
const TOTAL =
  /total|together|(?:that|which|this)(?:'s| is| makes| gives)|comes? to|adds? up to|(?<![a-zà-ÿ])sum(?![a-zà-ÿ])|overall|altogether|in all|合[计計]|总[计共和]?|總|一共|共计|共有|insgesamt|gesamt|summe|zusammen|en tout|ensemble|suma|합계|총|итого|всего|params?(?:eter)?s?$|参数量$|参数总量/i
const NOT_BERT =
  /(?<!chat[ -]?)gpt(?!-?[45])|llama|t5(?![a-z0-9])|vit(?![a-zà-ÿ])|resnet|lstm|mlp-mixer|mistral|qwen|bloom|opt-/i

/** Words for an absent part, such as "no pooler". */
const WITHOUT =
  /(?<![a-zà-ÿ])(?:no|without|w\/o|excl\w*|minus|less|ohne|sans|sin)(?![a-zà-ÿ]) *(?:the |den |der |die |le |la |el )?[\p{L}-]+|(?:不含|没有|无|去掉)\p{L}{2,3}/giu

/** Small numbers, by the words for them in several languages. @type {Record<string, number>} */
const NUMBER_WORDS = {
  two: 2,
  both: 2,
  three: 3,
  four: 4,
  six: 6,
  eight: 8,
  ten: 10,
  twelve: 12,
  "twenty-four": 24,
  zwei: 2,
  beide: 2,
  drei: 3,
  vier: 4,
  sechs: 6,
  acht: 8,
  zwölf: 12,
  vierundzwanzig: 24,
  deux: 2,
  quatre: 4,
  douze: 12,
  dos: 2,
  cuatro: 4,
  seis: 6,
  doce: 12,
  两: 2,
  四: 4,
  六: 6,
  十二: 12,
  二十四: 24,
}
const NUMBER_OF_LAYERS = new RegExp(
  `(?<!第 ?)(?<![0-9\\p{L}])([0-9]+|${Object.keys(NUMBER_WORDS).join("|")})[ -]*(?:x |× |\\* )?(?:encoder |transformer |hidden )?(?:layers?(?! ?norm)|blocks?|个?层|層|schichten|couches|capas|레이어)`,
  "iu",
)

/** Whether words say that a number is a total. @param {string} words */
export const saysTotal = (words) => TOTAL.test(words)
/** Whether words say that a number counts one layer. @param {string} words */
export const saysOneLayer = (words) => PER_LAYER.test(words)
/** Whether a text names a model that is not related to BERT. @param {string} text */
export const namesForeignModel = (text) => NOT_BERT.test(text)
/** The number of layers that words give; 0 if they give no number. @param {string} words */
export const layersNamed = (words) => {
  const number = NUMBER_OF_LAYERS.exec(words)?.[1] ?? ""
  return NUMBER_WORDS[number.toLowerCase()] ?? Number(number)
}

/** Words for all layers, without their number. */
const ALL_LAYERS =
  /^\W*(?:all|alle|toutes|todas)\b[^0-9]{0,20}(?:layers?(?! ?norm)|blocks?|schichten|couches|capas)\W*$/i
/** Whether words mean all layers, without saying how many. @param {string} words */
export const saysAllLayers = (words) => ALL_LAYERS.test(words)

/** Whether words mean whole layers, and not a part of them. @param {string} words */
export const meansLayersOnly = (words) => {
  const parts = partsMeant(words)
  return saysLayer(words) && parts.length > 0 && parts.every(({ path, tag }) => path === LAYER && !tag)
}

/** Words for a part with its bias, rather than for a bias alone. */
const WITH_BIAS = /(?:with|mit|and|und|incl|含|plus|\+|和|及)\W*(?:\w+ ){0,2}(?:bias|偏置)/i

/** Matches the name of a class, such as DebertaV2ForMaskedLM. */
const MODEL_CLASS = /(?<![A-Za-z])[A-Z][A-Za-z0-9]{1,20}(?:For[A-Z][A-Za-z]{1,40}|Model)(?![a-zà-ÿ])/g

/** The parts that words refer to, as paths and tags; empty if they refer to no part.
 * @param {string} words @returns {PartMeant[]} */
export function partsMeant(words) {
  const parts = modulesMeant(words.replace(WITHOUT, "").replace(MODEL_CLASS, ""))
  const isOfBias = BIAS.test(words) && !WITH_BIAS.test(words)
  if (isOfBias && !parts.length) return [partAt(LAYER, "bias"), partAt("bert/pooler", "bias")]
  const isOfMatrices = MATRIX.test(words) && !BIAS.test(words)
  if (!isOfBias && !isOfMatrices) return parts
  const tag = isOfBias ? "bias" : "kernel"
  return parts.map((part) => ({ ...part, tag: `${part.tag} ${tag}`.trim() }))
}

/** The modules that words refer to, even if only the modules' biases or matrices are meant.
 * @param {string} words @returns {PartMeant[]} */
function modulesMeant(words) {
  if (NORM.test(words)) return normsMeant(words)
  const head = HEADS.find(([pattern]) => pattern.test(words))
  if (head) return [head[1]]
  if (FEED_FORWARD.test(words)) return feedForwardMeant(words)
  const projections = projectionsMeant(words)
  if (projections.length) return projections
  const tables = TABLES.filter(([pattern]) => pattern.test(words))
  if (tables.length && !ATTENTION.test(words)) return tables.map(([, part]) => part)
  if (ATTENTION.test(words)) return [partAt(LAYER, "self-attention")]
  if (EMBED.test(words)) return [partAt(EMBEDDINGS)]
  if (PER_LAYER.test(words) || LAYERS.test(words) || LAYER_WORD.test(words)) return [partAt(LAYER)]
  return []
}

/** Words for the LayerNorms of a layer by their order. */
const [FIRST_NORM, SECOND_NORM] = [/first|1st|erste|premi|primer|第一/i, /second|2nd|zweite|deuxi|segund|第二/i]

/** The LayerNorms that words refer to. @param {string} words */
function normsMeant(words) {
  if (EMBED.test(words)) return [partAt(`${EMBEDDINGS}/LayerNorm`)]
  if (/mlm|masked|lm.?head|transform(?!er)/i.test(words)) return [partAt("cls/predictions/transform/LayerNorm")]
  const [isOfAttention, isOfFeedForward] = [
    ATTENTION.test(words) || FIRST_NORM.test(words),
    FEED_FORWARD.test(words) || SECOND_NORM.test(words),
  ]
  if (isOfAttention && !isOfFeedForward) return [partAt(`${LAYER}/attention/output/LayerNorm`)]
  if (isOfFeedForward && !isOfAttention) return [partAt(`${LAYER}/output/LayerNorm`)]
  return [partAt("", "LayerNorm")]
}

/** The dense layers of the feed-forward network that words refer to. @param {string} words */
function feedForwardMeant(words) {
  const [isFirst, isSecond] = [FIRST_DENSE.test(words), SECOND_DENSE.test(words)]
  if (isFirst && !isSecond) return [partAt(`${LAYER}/intermediate`)]
  if (isSecond && !isFirst && !/(?:2|two) (?:matri|lay|lin|dense)/i.test(words))
    return [partAt(`${LAYER}/output/dense`)]
  return [partAt(LAYER, "feed-forward")]
}

/** Words for the dense layer that widens the embeddings, and for a projection that may be this one or that of
 * attention. */
const PROJECTION_OF_EMBEDDINGS = /embed\w*[ _-]*(?:\w+[ _-]*)?(?:proj|mapping)|factori[sz]\w*/i
const ANY_PROJECTION = /^\W*proj(?:ection)?\W*$/i

/** The projections that words refer to; empty if they refer to none. @param {string} words */
function projectionsMeant(words) {
  if (PROJECTION_OF_EMBEDDINGS.test(words)) return [partAt(EMBEDDINGS_PROJECTION)]
  if (ANY_PROJECTION.test(words)) return [partAt(EMBEDDINGS_PROJECTION), partAt(`${LAYER}/attention/output/dense`)]
  const [self, outputOfAttention] = [`${LAYER}/attention/self`, `${LAYER}/attention/output`]
  if (ANY_OUTPUT.test(words) && /dense|linear|[x×*(]/i.test(words))
    return [partAt(`${outputOfAttention}/dense`), partAt(`${LAYER}/output/dense`)]
  if (OUTPUT_OF_ATTENTION.test(words) && !OUTPUT_PROJECTION.test(words)) return [partAt(outputOfAttention)]
  const output = OUTPUT_PROJECTION.test(words) ? [partAt(`${LAYER}/attention/output/dense`)] : []
  if (QKVO.test(words)) return [partAt(LAYER, "self-attention")]
  if (QKV.test(words)) return [partAt(self), ...output]
  const projections = /** @type {[RegExp, string][]} */ ([
    [QUERY, "query"],
    [KEY, "key"],
    [VALUE, "value"],
  ]).filter(([pattern]) => pattern.test(words))
  return [...projections.map(([, name]) => partAt(`${self}/${name}`)), ...output]
}

/** Whether words are about one or more layers. @param {string} words */
export const saysLayer = (words) => LAYER_WORD.test(words)

/** The beginnings of the paths of a part's rows. @param {PartMeant} part */
function prefixesOf({ path, tag }) {
  if (path === LAYER && tag.startsWith("self-attention")) return [`${LAYER}/attention`]
  if (path === LAYER && tag.startsWith("feed-forward")) return [`${LAYER}/intermediate`, `${LAYER}/output`]
  return [path]
}

/** Whether the parts that `inner` refers to may lie within those that `outer` refers to; true if either refers to none.
 * @param {string} outer @param {string} inner */
export function mayInclude(outer, inner) {
  const isOfBoth = ATTENTION.test(outer) && FEED_FORWARD.test(outer)
  const prefixes = isOfBoth ? [LAYER] : partsMeant(outer).flatMap(prefixesOf)
  if (!prefixes.length) return true
  return partsMeant(inner)
    .flatMap(prefixesOf)
    .every((path) => !path || prefixes.some((prefix) => path.startsWith(prefix)))
}
