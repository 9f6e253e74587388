// What every page needs, once the theme is there.

import "./cite.js"
import "./links.js"
import "./listings.js"
import "./menu.js"
import "./numbers.js"
import "./search.js"
