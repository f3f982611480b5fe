import { WebSocket } from 'k6/websockets';

/**
 * A connection to the co-authoring server that carries its JSON messages: inside Socket.IO packets, or one per frame.
 * `on.open` is called when messages may be sent, `on.message` with each, `on.end` once.
 */
export function dial({ transport, baseUrl, key, token }, on) {
  const base = baseUrl.replace(/^http/, 'ws');
  const id = encodeURIComponent(key);
  return transport === 'plain'
    ? plain(`${base}/ws/${id}?shardkey=${id}`, on)
    : socketIo(`${base}/doc/${id}/c/?shardkey=${id}&EIO=4&transport=websocket`, token, on);
}

function plain(address, on) {
  const socket = connected(address, on);
  socket.onopen = () => on.open();
  socket.onmessage = ({ data }) => on.message(JSON.parse(data));
  return { send: (message) => socket.send(JSON.stringify(message)), close: () => socket.close() };
}

/** Engine.IO 4 and Socket.IO 4: `0` open, `2` ping, `3` pong, `40` connect, `42` an event. */
function socketIo(address, token, on) {
  const socket = connected(address, on);
  socket.onmessage = ({ data }) => {
    if (data.startsWith('42')) on.message(JSON.parse(data.slice(2))[1]);
    else if (data === '2') socket.send('3');
    else if (data.startsWith('0')) socket.send(`40${JSON.stringify(token ? { token } : {})}`);
    else if (data.startsWith('40')) on.open();
    else if (data.startsWith('44')) on.end(`refused: ${data.slice(2, 200)}`);
  };
  return {
    send: (message) => socket.send(`42${JSON.stringify(['message', message])}`),
    close: () => socket.close(),
  };
}

function connected(address, on) {
  const socket = new WebSocket(address);
  socket.onerror = ({ error }) => on.end(`connection failed: ${error}`);
  socket.onclose = () => on.end('connection closed');
  return socket;
}
