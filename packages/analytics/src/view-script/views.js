/* Tells what happens in a video player to whom the page's owner has named. No cookie, nothing stored, nothing read from the page. */
(function (scope) {
  var EVERY_MS = 10000, MOST = 60
  function hex(count) {
    var text = '', bytes = new Uint8Array(count), at
    if (scope.crypto && scope.crypto.getRandomValues) scope.crypto.getRandomValues(bytes)
    else for (at = 0; at < count; at++) bytes[at] = Math.random() * 256
    for (at = 0; at < count; at++) text += (bytes[at] + 256).toString(16).slice(1)
    return text
  }
  function whole(value, most) {
    return typeof value === 'number' && value >= 0 && value < Infinity ? Math.min(Math.round(value), most) : undefined
  }
  function word(value, length) {
    return String(value).replace(/[^\w.-]/g, '-').slice(0, length) || undefined
  }

  /* `address` is of one video. Answers what hls.js takes as `cmcd`, and what watches the player:
     it answers what ends that, behind which the same view may go on with another player. */
  scope.viewWatch = function (address) {
    var view = hex(12), number = 0, queue = [], video = null, hls = null
    var askedAt = 0, seen = false, movingSince = 0, stalledAt = 0
    var pathway, session, newestAt = 0, newest = -1, bitrate, told = {}
    var now = function () { return scope.performance ? scope.performance.now() : Date.now() }

    /* Time that the picture moved since it was last asked. */
    function watched(goesOn) {
      var time = movingSince ? now() - movingSince : 0
      movingSince = goesOn && movingSince ? now() : 0
      return whole(time, 120000) || undefined
    }
    function ahead() {
      var ranges = video.buffered, place = video.currentTime, at
      for (at = 0; at < ranges.length; at++)
        if (ranges.start(at) <= place + 0.1 && ranges.end(at) >= place) return whole((ranges.end(at) - place) * 1000, 600000)
      return 0
    }
    function reached() {
      var ranges = video.played, sum = 0, at
      if (!(video.duration > 0 && video.duration < Infinity)) return undefined
      for (at = 0; at < ranges.length; at++) sum += ranges.end(at) - ranges.start(at)
      return whole((sum * 100) / video.duration, 100)
    }
    function tell(kind, more) {
      var event = { k: kind, at: now(), w: more.w, p: whole(video.currentTime * 1000, 31536000000), r: reached(), b: bitrate, h: whole(video.videoHeight, 10000) || undefined, c: pathway }, key
      for (key in more) event[key] = more[key]
      if (hls && hls.peerShare) join(event, hls.peerShare())
      queue.push(event)
      if (queue.length >= MOST) send()
    }
    function send() {
      var at = now(), events
      if (!queue.length) return
      events = queue.map(function (event) {
        var sent = {}, key
        for (key in event) if (key !== 'at' && event[key] !== undefined) sent[key] = event[key]
        sent.a = whole(at - event.at, 120000)
        return sent
      })
      queue = []
      var body = JSON.stringify({ v: 1, i: view, n: number++, p: word(hls ? 'hls.js-' + (hls.constructor.version || '') : 'native', 32), e: events })
      /* What does not arrive is missing in the figures, and disturbs nobody. */
      scope.fetch(address, { method: 'POST', body: body, keepalive: true, mode: 'cors', credentials: 'omit', referrerPolicy: 'no-referrer' }).catch(function () {})
    }
    function safely(piece) {
      return function (a, b) {
        try { piece(a, b) } catch (e) { /* The film goes on whatever becomes of this. */ }
      }
    }
    function live() {
      return newestAt ? { g: whole(now() - newestAt, 600000) } : {}
    }
    function line() {
      return { l: ahead(), t: hls ? whole(hls.bandwidthEstimate / 1000, 10000000) : undefined }
    }
    function join(one, other) {
      for (var key in other) one[key] = other[key]
      return one
    }

    var on = {
      play: function () {
        if (askedAt) return
        askedAt = now()
        tell('start', {})
        send()
      },
      playing: function () {
        if (!askedAt) on.play()
        if (!seen) { seen = true; tell('first', { m: whole(now() - askedAt, 600000) }); send() }
        else if (stalledAt) tell('resume', join(line(), { m: whole(now() - stalledAt, 600000) }))
        stalledAt = 0
        movingSince = now()
      },
      waiting: function () {
        /* Who jumps waits for what they asked for: that is no stall. */
        if (!seen || stalledAt || video.seeking || video.ended) return
        tell('stall', join(join(line(), live()), { w: watched(false) }))
        stalledAt = now()
      },
      seeking: function () {
        if (movingSince) tell('beat', { w: watched(false) })
        stalledAt = 0
      },
      pause: function () {
        if (movingSince) tell('beat', { w: watched(false) })
        stalledAt = 0
      },
      ended: function () {
        tell('end', { w: watched(false) })
        send()
      },
      error: function () {
        tell('error', { x: 'media-' + ((video.error && video.error.code) || 0), f: 1, w: watched(false) })
        send()
      },
    }
    function leave() {
      if (!askedAt) return
      if (movingSince || stalledAt) tell('beat', { w: watched(true) })
      send()
    }
    function fromHls(events) {
      hls.on(events.LEVEL_SWITCHED, safely(function (_, data) {
        var level = hls.levels[data.level]
        if (!level) return
        var before = bitrate
        bitrate = whole(level.bitrate / 1000, 10000000)
        if (before !== bitrate) tell('quality', { h: whole(level.height, 10000) || undefined, w: watched(true) })
      }))
      hls.on(events.FRAG_LOADED, safely(function (_, data) {
        var level = hls.levels[data.frag.level], way = level && level.pathwayId
        if (way && way !== '.') pathway = word(way, 128)
      }))
      hls.on(events.LEVEL_UPDATED, safely(function (_, data) {
        if (!data.details.live || data.details.endSN === newest) return
        newest = data.details.endSN
        newestAt = now()
      }))
      if (events.STEERING_MANIFEST_LOADED) hls.on(events.STEERING_MANIFEST_LOADED, safely(function (_, data) {
        var manifest = data.steeringManifest || {}, found = /[?&]s=([0-9a-f]{24})/.exec(manifest['RELOAD-URI'] || ''), first = (manifest['PATHWAY-PRIORITY'] || [])[0]
        if (!found || found[1] + first === session) return
        session = found[1] + first
        tell('steer', { s: found[1], c: first && word(first, 128), w: watched(true) })
      }))
      hls.on(events.ERROR, safely(function (_, data) {
        var name = word(data.details, 48), last = told[name]
        /* The same again and again says no more than once in a while. */
        if (!data.fatal && (data.details === 'bufferStalledError' || (last && now() - last < 5000))) return
        told[name] = now()
        tell('error', join(line(), { x: name, f: data.fatal ? 1 : undefined, w: watched(!data.fatal) }))
        if (data.fatal) send()
      }))
    }

    return {
      view: view,
      cmcd: { sessionId: view, useHeaders: false },
      watch: function (element, player) {
        if (video || !scope.fetch) return
        var off = [], name
        function listen(target, name, piece) {
          piece = safely(piece)
          target.addEventListener(name, piece)
          off.push(function () { target.removeEventListener(name, piece) })
        }
        video = element
        hls = player || null
        for (name in on) listen(video, name, on[name])
        if (hls) fromHls(hls.constructor.Events)
        var timer = scope.setInterval(safely(function () {
          if (movingSince) tell('beat', join(line(), { w: watched(true) }))
          send()
        }), EVERY_MS)
        listen(scope, 'pagehide', leave)
        listen(scope.document, 'visibilitychange', function () {
          if (scope.document.visibilityState === 'hidden') leave()
        })
        if (!video.paused) safely(on.play)()
        return function () {
          if (!off.length) return
          safely(leave)()
          while (off.length) off.pop()()
          scope.clearInterval(timer)
          movingSince = stalledAt = newestAt = 0
          newest = -1
          video = hls = null
        }
      },
    }
  }
})(window)
