// What every page needs, once the theme is there.

import "./cite.js"
import "./links.js"
import "./listings.js"
import "./numbers.js"
import "./search.js"
