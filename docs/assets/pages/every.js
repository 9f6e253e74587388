// What every page needs.

import "../searching/worker.js"
import "./cite.js"
import "./links.js"
import "./listings.js"
import "./numbers.js"
import "./search.js"
