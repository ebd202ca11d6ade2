/* Fairway beacon: measures CDNs from this page. No cookie, nothing stored, nothing read from the page. */
(function (tag) {
  var doc = document, nav = navigator, perf = window.performance
  if (!tag || !perf || !window.fetch || !window.Promise || !perf.getEntriesByName) return
  var base = tag.src.replace(/\/b[^/]*$/, ''), data = tag.dataset, key = data.key
  if (!key) return
  var link = nav.connection || {}
  if (link.saveData || /2g/.test(link.effectiveType || '')) return
  /* What this script costs the page: requests, bytes over the wire, its longest piece of work. */
  var requests = 0, bytes = 0, longest = 0
  /* What the page's own policy forbids says nothing about a CDN. */
  var blocked = {}
  doc.addEventListener('securitypolicyviolation', function (event) {
    if (event.disposition !== 'report') blocked[hostOf(event.blockedURI)] = 1
  })

  function number(text, fallback) {
    var value = parseInt(text, 10)
    return value >= 0 ? value : fallback
  }
  function hostOf(address) {
    try { return new URL(address, location.href).host } catch (e) { return '' }
  }
  /* A browser sends nothing from a page over TLS to one without, nor where the page may not. */
  function barred(target) {
    return (location.protocol === 'https:' && /^http:/.test(target.u)) || blocked[hostOf(target.u)]
  }
  function round(value) { return Math.round(value * 100) / 100 }
  function work(piece) {
    return function (value) {
      var began = perf.now()
      try { return piece(value) } finally { longest = Math.max(longest, perf.now() - began) }
    }
  }
  function entryOf(url) {
    var entries = perf.getEntriesByName(new URL(url, location.href).href), entry = entries[entries.length - 1]
    if (entry) bytes += entry.transferSize || 0
    return entry
  }
  /* Names a batch, so that it counts once however often it arrives; it says nothing of the page or the visitor. */
  function name() {
    return (Math.random().toString(36) + Math.random().toString(36)).replace(/0\./g, '').slice(0, 20)
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
  /* One request: answers what Resource Timing says of it, or throws what came instead. */
  function ask(address, method, mode) {
    var url = address + (address.indexOf('?') < 0 ? '?' : '&') + 'r=' + Math.random().toString(36).slice(2)
    var stop = window.AbortController ? new AbortController() : null
    var clock = setTimeout(function () { if (stop) stop.abort() }, 10000), began = perf.now()
    requests++
    return fetch(url, { method: method, mode: mode, credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer', signal: stop ? stop.signal : undefined })
      .then(function (answer) {
        var first = perf.now()
        if (mode === 'cors' && !answer.ok) throw answer.status
        return answer.arrayBuffer().then(work(function (body) { return { entry: entryOf(url) || {}, wait: first - began, size: body.byteLength } }))
      })
      .then(function (got) { clearTimeout(clock); return got }, function (problem) { clearTimeout(clock); throw problem })
  }
  /* Without Timing-Allow-Origin the browser hides the parts, and a long page's list of resources is full. */
  function firstByte(entry) {
    return entry.responseStart > 0 && entry.requestStart > 0 ? entry.responseStart - entry.requestStart : 0
  }
  function measure(target) {
    if (barred(target)) return Promise.resolve(null)
    var hidden = false, sample = { c: target.c, ok: 0 }
    function hide() { hidden = true }
    doc.addEventListener('visibilitychange', hide)
    return ask(target.u, 'GET', 'cors').then(function (got) {
      var entry = got.entry, own = firstByte(entry), secure = entry.secureConnectionStart
      sample.ok = 1
      sample.r = round(own || got.wait)
      if (!own) return
      if (!(entry.connectEnd > entry.connectStart)) { sample.w = sample.r; return }
      sample.t = round((secure || entry.connectEnd) - entry.connectStart)
      if (secure) sample.l = round(entry.connectEnd - secure)
      /* The connection stands now: a request without a body takes one round trip. */
      return ask(target.u, 'HEAD', 'cors').then(function (warm) {
        var again = firstByte(warm.entry)
        if (again && !(warm.entry.connectEnd > warm.entry.connectStart)) sample.w = round(again)
      }).catch(function () {})
    }, function (problem) {
      /* An object of the page owner's own may be at fault while its CDN is well. */
      if (!target.o) return
      if (typeof problem === 'number') { if (problem < 500 && problem !== 408 && problem !== 429) sample.f = 'http'; return }
      return ask(target.u, 'GET', 'no-cors').then(function () { sample.f = 'cors' }, function () {})
    }).then(function () {
      /* The browser tells of what it did not send a moment after the request has failed. */
      return sample.ok ? null : later(0.1)
    }).then(function () {
      /* A larger object, rarely: throughput changes slowly and costs the visitor something. */
      if (!sample.ok || !target.l || Math.random() > 0.05) return
      return ask(target.l, 'GET', 'cors').then(function (got) {
        var took = got.entry.responseEnd - got.entry.responseStart
        if (got.entry.responseStart > 0 && took > 0) sample.m = round(got.size * 8 / took / 1000) || undefined
      }).catch(function () {})
    }).then(function () {
      doc.removeEventListener('visibilitychange', hide)
      return hidden || nav.onLine === false || (!sample.ok && barred(target)) ? null : sample
    })
  }
  var send = work(function (samples) {
    samples = samples.filter(Boolean)
    if (!samples.length) return
    requests++
    var body = JSON.stringify({ v: 1, k: key, i: name(), p: [requests, bytes, round(longest)], s: samples })
    /* In mode cors the browser says which host's page it is, whatever the page's referrer policy; and no question goes ahead. */
    fetch(base + '/b/', { method: 'POST', body: body, keepalive: true, mode: 'cors', credentials: 'omit' }).catch(function () {})
  })
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
  work(function () {
    var given = null
    if (tag.nodeName) { requests++; entryOf(tag.src) }
    try { given = data.targets ? JSON.parse(data.targets) : null } catch (e) { return }
    if (given) run({ targets: given, startDelaySeconds: number(data.start, 2), repeatDelaySeconds: Math.max(10, number(data.repeat, 10)), batchNumber: number(data.batches, 1) })
    else {
      var from = base + '/b/settings?k=' + encodeURIComponent(key)
      requests++
      fetch(from, { credentials: 'omit' }).then(function (answer) { return answer.ok ? answer.json() : null }).then(work(function (settings) {
        entryOf(from)
        if (settings) run(settings)
      })).catch(function () {})
    }
  })()
})(document.currentScript)
