// Loaded into npm by the launcher. npm leaves out optional packages (native parts of our tools) that the Node it runs
// on is too old for.
// They are wanted for the Node that the lock file installs, so npm is told that one's version; the system's may be as
// old as 18.
'use strict'
const fs = require('node:fs')
const path = require('node:path')

const lock = JSON.parse(fs.readFileSync(path.join(__dirname, '../../../package-lock.json'), 'utf8'))
Object.defineProperty(process, 'version', { value: `v${lock.packages['node_modules/node'].version}` })
