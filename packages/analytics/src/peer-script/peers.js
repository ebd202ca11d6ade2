/* Viewers of one video pass segments to each other. Each piece is checked against what the video's own host says of it, before a player sees it. */
(function (scope) {
  var PIECE = 16384, BUFFERED = 262144, MOST_BYTES = 33554432, KEPT_BYTES = 100663296, KEPT = 60, KEYS = 200, PEERS = 8
  var RESERVE_MS = 3000, LONGEST_MS = 4000, HOLD_MS = 300, SERVED = 3, GATHER_MS = 1500, MORE_MS = 20000
  /* So many slow pieces of a peer, and so much harm in a session, end it. */
  var SLOW = 2, HARM = 4, BAD = 2, BLAME_MS = 8000
  var KEY = /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[\w./-]{1,120}\.m4s)(?:[?#]|$)/, SUM = /^[0-9a-f]{64}$/

  function now() { return scope.performance.now() }
  function can() {
    var line = scope.navigator.connection || {}
    return scope.RTCPeerConnection && scope.WebSocket && scope.fetch && scope.crypto && scope.crypto.subtle && !line.saveData && line.type !== 'cellular'
  }
  function hex(bytes) {
    return Array.prototype.map.call(new Uint8Array(bytes), function (byte) { return (byte + 256).toString(16).slice(1) }).join('')
  }
  function keyOf(url) { var found = KEY.exec(url); return found && found[1] }
  function wait(ms) { return new Promise(function (done) { scope.setTimeout(done, ms) }) }

  /* `address` is of one video. Answers what hls.js takes as its configuration, and what lets a player of it share. */
  scope.peerShare = function (address, Hls) {
    var Plain = Hls.DefaultConfig.loader
    var video = null, room = null, stun = [], group, isOff = true, why = '', harm = 0, lastPieceAt = -1e9, number = 0
    var peers = {}, left = {}, isJoining = false, store = new Map(), stored = 0, served = 0
    var counts = { peers: 0, cdn: 0, refused: 0 }, told = { peers: 0, cdn: 0, refused: 0 }

    function ahead() {
      var ranges = video.buffered, place = video.currentTime, at
      for (at = 0; at < ranges.length; at++)
        if (ranges.start(at) <= place + 0.5 && ranges.end(at) >= place) return (ranges.end(at) - place) * 1000
      return 0
    }
    function open() { return Object.keys(peers).map(function (id) { return peers[id] }).filter(function (peer) { return peer.channel && peer.channel.readyState === 'open' }) }
    function say(peer, message) { try { peer.channel.send(JSON.stringify(message)) } catch (e) { /* It is going. */ } }
    function tell(message) { open().forEach(function (peer) { say(peer, message) }) }

    function stop(reason) {
      if (isOff) return
      isOff = true
      why = reason
      Object.keys(peers).forEach(leave)
      if (room) room.close()
      store.clear()
      stored = 0
    }
    function hurt(points, reason) { harm += points; if (harm >= HARM) stop(reason) }
    function leave(id, reason) {
      var peer = peers[id]
      if (!peer) return
      delete peers[id]
      wake()
      if (typeof reason === 'string') left[id] = reason
      Object.keys(peer.asked).forEach(function (at) { peer.asked[at].done(null) })
      peer.connection.close()
    }

    /* ---- what is kept, and told of */
    function keep(key, data) {
      if (isOff || store.has(key) || data.byteLength > MOST_BYTES) return
      store.set(key, data)
      stored += data.byteLength
      store.forEach(function (old, name) {
        if (stored <= KEPT_BYTES && store.size <= KEPT) return
        store.delete(name)
        stored -= old.byteLength
        tell({ t: 'drop', k: name })
      })
      tell({ t: 'have', k: [key] })
    }

    /* ---- one peer */
    function meet(id) {
      var peer = { id: id, connection: new scope.RTCPeerConnection({ iceServers: stun.length ? [{ urls: stun }] : [] }), channel: null, has: new Set(), gets: new Set(), asked: {}, serves: {}, slow: 0 }
      peers[id] = peer
      peer.connection.onconnectionstatechange = function () {
        var state = peer.connection.connectionState
        if (state === 'failed' || state === 'closed') leave(id)
      }
      peer.connection.ondatachannel = function (event) { if (!peer.channel) take(peer, event.channel) }
      scope.setTimeout(function () { if (!peer.channel || peer.channel.readyState !== 'open') leave(id) }, 15000)
      return peer
    }
    function take(peer, channel) {
      peer.channel = channel
      channel.binaryType = 'arraybuffer'
      channel.bufferedAmountLowThreshold = BUFFERED / 2
      channel.onopen = function () {
        say(peer, { t: 'have', k: Array.from(store.keys()) })
        /* Who has nothing says so. */
        scope.setTimeout(function () { if (!peer.isHeard) leave(peer.id, 'slow') }, 3000)
      }
      channel.onclose = function () { leave(peer.id) }
      channel.onmessage = function (event) {
        try { hear(peer, event.data) } catch (e) { bad(peer) }
      }
      if (channel.readyState === 'open') channel.onopen()
    }
    function bad(peer) {
      counts.refused++
      leave(peer.id, 'bad')
      hurt(BAD, 'bad')
    }
    function late(peer) {
      if (++peer.slow >= SLOW) leave(peer.id, 'slow')
      hurt(1, 'slow')
    }
    function hear(peer, data) {
      var message, asked
      if (typeof data !== 'string') {
        if (data.byteLength < 5) throw new Error('short')
        asked = peer.asked[new DataView(data).getUint32(0)]
        if (!asked) { if (peer.over > 0) { peer.over -= data.byteLength; return } throw new Error('unasked') }
        if (!asked.into || asked.at + data.byteLength - 4 > asked.into.length) throw new Error('long')
        asked.into.set(new Uint8Array(data, 4), asked.at)
        asked.at += data.byteLength - 4
        if (asked.at === asked.into.length) asked.done(asked.into.buffer)
        return
      }
      if (data.length > 40000) throw new Error('long')
      message = JSON.parse(data)
      if (message.t === 'have' || message.t === 'drop' || message.t === 'get') {
        peer.isHeard = true
        Array.prototype.concat.call([], message.k).slice(0, KEYS).forEach(function (key) {
          if (keyOf('/' + key) !== key) throw new Error('key')
          if (message.t === 'get') { if (peer.gets.size < KEYS) peer.gets.add(key) }
          else {
            peer.gets.delete(key)
            if (message.t === 'drop') peer.has.delete(key)
            else if (peer.has.size < KEYS) peer.has.add(key)
          }
        })
        wake()
      } else if (message.t === 'want') serve(peer, message.i, message.k)
      else if (message.t === 'stop') delete peer.serves[message.i]
      else if (message.t === 'size' || message.t === 'no') {
        asked = peer.asked[message.i]
        if (!asked) return
        if (message.t === 'no') { peer.has.delete(asked.key); asked.done(null); return }
        if (asked.into || !(typeof message.n === 'number' && message.n > 0 && message.n <= MOST_BYTES && message.n % 1 === 0)) throw new Error('size')
        asked.into = new Uint8Array(message.n)
      } else throw new Error('message')
    }
    function serve(peer, id, key) {
      var data = store.get(key), at = 0
      if (!(typeof id === 'number' && id >= 0 && id <= 4294967295 && id % 1 === 0)) throw new Error('id')
      if (!data || served >= SERVED || peer.serves[id]) { say(peer, { t: 'no', i: id }); return }
      served++
      peer.serves[id] = true
      say(peer, { t: 'size', i: id, n: data.byteLength })
      var end = function () { served--; delete peer.serves[id]; peer.channel.removeEventListener('bufferedamountlow', more); peer.channel.removeEventListener('close', end) }
      function more() {
        var piece, part
        try {
          while (peer.serves[id] && at < data.byteLength && peer.channel.bufferedAmount < BUFFERED) {
            part = data.slice(at, at + PIECE)
            piece = new Uint8Array(part.byteLength + 4)
            new DataView(piece.buffer).setUint32(0, id)
            piece.set(new Uint8Array(part), 4)
            peer.channel.send(piece)
            at += part.byteLength
          }
        } catch (e) { at = data.byteLength }
        if (!peer.serves[id] || at >= data.byteLength) end()
      }
      peer.channel.addEventListener('bufferedamountlow', more)
      peer.channel.addEventListener('close', end)
      more()
    }

    /* ---- the room */
    function send(message) { if (room && room.readyState === 1) room.send(JSON.stringify(message)) }
    function described(connection, made) {
      return connection.setLocalDescription(made).then(function () {
        return new Promise(function (done) {
          function look() { if (connection.iceGatheringState === 'complete') done() }
          connection.addEventListener('icegatheringstatechange', look)
          scope.setTimeout(done, GATHER_MS)
          look()
        })
      }).then(function () { return connection.localDescription.sdp })
    }
    function enter(answer) {
      room = new scope.WebSocket(answer.room)
      isJoining = true
      stun = answer.stun
      room.onmessage = function (event) {
        var message = JSON.parse(event.data), peer
        if (isOff) return
        if (message.t === 'peers') { isJoining = false; message.p.forEach(function (id) {
          if (peers[id] || left[id] || Object.keys(peers).length >= PEERS) return
          peer = meet(id)
          take(peer, peer.connection.createDataChannel('s'))
          peer.connection.createOffer().then(described.bind(null, peer.connection)).then(function (sdp) { send({ t: 'offer', to: id, s: sdp }) }).catch(leave.bind(null, id))
        }); wake() }
        else if (message.t === 'offer') {
          if (peers[message.from] || left[message.from] || Object.keys(peers).length >= PEERS) return
          peer = meet(message.from)
          peer.connection.setRemoteDescription({ type: 'offer', sdp: message.s })
            .then(function () { return peer.connection.createAnswer() }).then(described.bind(null, peer.connection))
            .then(function (sdp) { send({ t: 'answer', to: message.from, s: sdp }) }).catch(leave.bind(null, message.from))
        } else if (message.t === 'answer' && peers[message.from])
          peers[message.from].connection.setRemoteDescription({ type: 'answer', sdp: message.s }).catch(leave.bind(null, message.from))
      }
      room.onclose = function (event) { isJoining = false; if (event.code === 4001) stop('off') }
      scope.setInterval(function () { if (!isOff && open().length < 3) send({ t: 'more' }) }, MORE_MS)
    }

    /* ---- one segment */
    var sleepers = []
    function wake() { sleepers.splice(0).forEach(function (go) { go() }) }
    function news(ms) { return new Promise(function (done) { sleepers.push(done); scope.setTimeout(done, ms) }) }
    function owners(key) {
      return open().filter(function (peer) { return peer.has.has(key) && Object.keys(peer.asked).length < 3 })
    }
    function isComing(key) { return open().some(function (peer) { return peer.gets.has(key) }) }
    /* Whom it has just been introduced to may have it. */
    function isMeeting() { return isJoining || Object.keys(peers).some(function (id) { return !peers[id].channel || peers[id].channel.readyState === 'connecting' || !peers[id].isHeard }) }
    function find(key, until, isOver) {
      var found = owners(key)
      if (found.length) return Promise.resolve(found[Math.floor(Math.random() * found.length)])
      if (isOver() || now() >= until || !(isComing(key) || isMeeting())) return Promise.resolve(null)
      return news(until - now()).then(function () { return find(key, until, isOver) })
    }
    function ask(peer, key, ms, asking) {
      return new Promise(function (done) {
        var id = number++, timer
        peer.asked[id] = asking.now = {
          key: key, into: null, at: 0,
          done: function (data) {
            var asked = peer.asked[id]
            if (!asked) return
            scope.clearTimeout(timer)
            delete peer.asked[id]
            /* What is under way still comes. */
            if (data === null) { peer.over = MOST_BYTES; say(peer, { t: 'stop', i: id }) }
            done(data)
          },
        }
        timer = scope.setTimeout(function () { if (peer.asked[id]) { peer.asked[id].done(null); late(peer) } }, ms)
        say(peer, { t: 'want', i: id, k: key })
      })
    }
    /* The bytes of a segment, once they are what the video's host says; null when they are to be had there. */
    function fromPeers(url, key, asking) {
      var most = Math.min(LONGEST_MS, ahead() - RESERVE_MS), until = now() + most
      if (most < 500 || !(open().length || isMeeting())) return Promise.resolve(null)
      /* Who begins at the same moment does not ask for the same things at the same moment. */
      return (owners(key).length || isComing(key) || isMeeting() ? Promise.resolve() : wait(Math.random() * Math.min(HOLD_MS, most / 4))).then(function () {
        return find(key, now() + most / 2, function () { return isOff || asking.over })
      }).then(function (peer) {
        if (!peer || isOff || asking.over) return null
        var sum = scope.fetch(url.replace(/[?#].*/, '') + '.sha256', { mode: 'cors', credentials: 'omit' }).then(function (answer) { return answer.ok ? answer.text() : '' }).then(function (text) { text = text.trim(); return SUM.test(text) ? text : null }).catch(function () { return null })
        return ask(peer, key, Math.max(400, until - now()), asking).then(function (data) {
          if (data === null) return null
          return Promise.all([sum, scope.crypto.subtle.digest('SHA-256', data)]).then(function (both) {
            if (both[0] === null || isOff) return null
            if (both[0] === hex(both[1])) return data
            bad(peer)
            return null
          })
        })
      })
    }

    function Loader(config) {
      var plain = new Plain(config), self = this, asking = { over: false, now: null }
      this.stats = plain.stats
      this.context = null
      this.load = function (context, how, callbacks) {
        var key = keyOf(context.url)
        self.context = context
        var kept = Object.assign({}, callbacks, {
          onSuccess: function (response, stats, at, details) {
            if (key && response.data && response.data.byteLength) {
              counts.cdn += response.data.byteLength
              if (group === 'peers') keep(key, response.data.slice(0))
            }
            callbacks.onSuccess(response, stats, at, details)
          },
        })
        function cdn() {
          if (asking.over) return
          self.stats.loading.start = 0
          if (key && !isOff) tell({ t: 'get', k: [key] })
          plain.load(context, how, kept)
        }
        if (isOff || !video || !key || context.rangeEnd) return cdn()
        /* What asks how long this takes already, before anything is asked for, is to know. */
        self.stats.loading.start = now()
        fromPeers(context.url, key, asking).catch(function () { return null }).then(function (data) {
          var stats = self.stats
          if (asking.over) return
          if (data === null) return cdn()
          lastPieceAt = now()
          counts.peers += data.byteLength
          keep(key, data.slice(0))
          stats.loading.first = stats.loading.first || lastPieceAt
          stats.loading.end = lastPieceAt
          stats.loaded = stats.total = data.byteLength
          stats.bwEstimate = undefined
          callbacks.onSuccess({ url: context.url, data: data, code: 200 }, stats, context, null)
        })
      }
      function over() {
        asking.over = true
        if (asking.now) asking.now.done(null)
      }
      this.abort = function () { over(); plain.abort() }
      this.destroy = function () { over(); plain.destroy() }
      this.getCacheAge = function () { return plain.getCacheAge ? plain.getCacheAge() : null }
      this.getResponseHeader = function (name) { return plain.getResponseHeader ? plain.getResponseHeader(name) : null }
    }

    return {
      config: { fLoader: Loader },
      /* For who looks: whether it shares, since when not and why, who was left, and what came from where. */
      state: function () {
        return { on: !isOff, group: group, why: why, peers: open().length, left: Object.keys(left).map(function (id) { return left[id] }), bytes: { peers: counts.peers, cdn: counts.cdn }, refused: counts.refused }
      },
      share: function (element, hls) {
        if (video || !can()) return
        scope.fetch(address, { mode: 'cors', credentials: 'omit', referrerPolicy: 'no-referrer' }).then(function (answer) { return answer.json() }).then(function (answer) {
          if (!answer.on) return
          group = answer.group
          hls.peerShare = function () {
            var more = { o: group, u: counts.peers - told.peers || undefined, d: counts.cdn - told.cdn || undefined, z: Math.min(1000, counts.refused - told.refused) || undefined }
            told = { peers: counts.peers, cdn: counts.cdn, refused: counts.refused }
            return more
          }
          if (group !== 'peers') return
          video = element
          isOff = false
          /* A picture that stands right after a piece came from a peer is held against them. */
          video.addEventListener('waiting', function () { if (!video.seeking && now() - lastPieceAt < BLAME_MS) hurt(2, 'stall') })
          hls.on(Hls.Events.DESTROYING, function () { stop('end') })
          scope.addEventListener('pagehide', function () { stop('end') })
          enter(answer)
        }).catch(function () { /* The film plays without. */ })
      },
    }
  }
})(window)
