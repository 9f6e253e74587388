// The scripts of every page, as one module, which runs after the theme's own scripts.

import "./cite.js"
import "./folds.js"
import "./links.js"
import "./listings.js"
import "./menu.js"
import "./numbers.js"
import "./search.js"
import "./sizes.js"
