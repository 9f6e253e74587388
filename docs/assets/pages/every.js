// The scripts of every page. They run after the theme's own.

import "./cite.js"
import "./folds.js"
import "./links.js"
import "./listings.js"
import "./menu.js"
import "./numbers.js"
import "./search.js"
import "./sizes.js"
