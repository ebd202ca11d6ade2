/* Fairway beacon: measures CDNs from this page. No cookie, nothing stored, nothing read from the page. */
(function () {
  var doc = document, nav = navigator, perf = window.performance, tag = doc.currentScript
  if (!tag || !perf || !window.fetch || !window.Promise || !perf.getEntriesByName) return
  var base = tag.src.replace(/\/b\.js.*$/, ''), data = tag.dataset, key = data.key
  if (!key) return
  var link = nav.connection || {}
  if (link.saveData || /2g/.test(link.effectiveType || '')) return

  function number(text, fallback) {
    var value = parseInt(text, 10)
    return value >= 0 ? value : fallback
  }
  function later(seconds) {
    return new Promise(function (go) { setTimeout(go, seconds * 1000) })
  }
  /* Hidden pages are throttled: what they measure says nothing about the network. */
  function visible() {
    return doc.visibilityState === 'visible' ? Promise.resolve() : new Promise(function (go) {
      doc.addEventListener('visibilitychange', function look() {
        if (doc.visibilityState !== 'visible') return
        doc.removeEventListener('visibilitychange', look)
        go()
      })
    })
  }
  function measure(target) {
    var url = target.u + (target.u.indexOf('?') < 0 ? '?' : '&') + 'r=' + Math.random().toString(36).slice(2)
    var stop = window.AbortController ? new AbortController() : null, hidden = false
    function hide() { hidden = true }
    doc.addEventListener('visibilitychange', hide)
    var clock = setTimeout(function () { if (stop) stop.abort() }, 10000), began = perf.now()
    return fetch(url, { mode: 'cors', credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer', signal: stop ? stop.signal : undefined })
      .then(function (answer) {
        var first = perf.now()
        if (!answer.ok) throw 0
        return answer.arrayBuffer().then(function () { return first })
      })
      .then(function (first) {
        var entries = perf.getEntriesByName(new URL(url, location.href).href), entry = entries[entries.length - 1]
        /* Without Timing-Allow-Origin the browser hides the parts, and a long page's list of resources is full: then the whole wait for the first byte counts. */
        var rtt = entry && entry.responseStart > 0 && entry.requestStart > 0 ? entry.responseStart - entry.requestStart : first - began
        return { c: target.c, r: Math.round(rtt * 100) / 100, ok: 1 }
      }, function () { return { c: target.c, ok: 0 } })
      .then(function (sample) {
        clearTimeout(clock)
        doc.removeEventListener('visibilitychange', hide)
        return hidden || nav.onLine === false ? null : sample
      })
  }
  function send(samples) {
    samples = samples.filter(Boolean)
    if (!samples.length) return
    var body = JSON.stringify({ v: 1, k: key, s: samples })
    if (!nav.sendBeacon || !nav.sendBeacon(base + '/b/', body)) fetch(base + '/b/', { method: 'POST', body: body, keepalive: true, credentials: 'omit' }).catch(function () {})
  }
  /* One after the other in random order, so that no CDN always measures over a warm or a busy line. */
  function batch(targets) {
    var order = targets.map(function (target) { return [Math.random(), target] }).sort(function (a, b) { return a[0] - b[0] }), samples = []
    return order.reduce(function (before, one) {
      return before.then(visible).then(function () { return measure(one[1]) }).then(function (sample) { samples.push(sample) })
    }, Promise.resolve()).then(function () { send(samples) })
  }
  function run(settings) {
    var left = settings.batchNumber
    function round() {
      return batch(settings.targets).then(function () {
        /* 0 batches: as long as the page is open. */
        if (settings.batchNumber && --left <= 0) return
        return later(settings.repeatDelaySeconds).then(round)
      })
    }
    if (settings.targets.length) later(settings.startDelaySeconds).then(visible).then(round)
  }
  /* Static settings: data-targets='[{"c":"…","u":"https://…"}]' and the three numbers; otherwise they are fetched. */
  var given = null
  try { given = data.targets ? JSON.parse(data.targets) : null } catch (e) { return }
  if (given) run({ targets: given, startDelaySeconds: number(data.start, 2), repeatDelaySeconds: Math.max(10, number(data.repeat, 10)), batchNumber: number(data.batches, 1) })
  else fetch(base + '/b/settings?k=' + encodeURIComponent(key), { credentials: 'omit' }).then(function (answer) { return answer.ok ? answer.json() : null }).then(function (settings) { if (settings) run(settings) }).catch(function () {})
})()
