// Keeps a Node program on this machine, for the integration tests: what listens does so on 127.0.0.1, and connections to other machines
// fail. Node loads it first: NODE_OPTIONS=--import=file:///.../loopback.mjs
import net from "node:net";

const { listen } = net.Server.prototype;
const { connect } = net.Socket.prototype;

// listen(port[, host][, backlog][, callback]), listen(options[, callback]), listen(path[, callback])
net.Server.prototype.listen = function (...args) {
  if (typeof args[0] === "object" && args[0]?.port !== undefined) args[0] = { ...args[0], host: args[0].host ?? "127.0.0.1" };
  else if (/^\d+$/.test(args[0])) typeof args[1] === "string" || args.splice(1, 0, "127.0.0.1");
  return listen.apply(this, args);
};

// connect(options[, callback]), connect(port[, host][, callback]), connect(path[, callback]); node's own code passes a list of these
net.Socket.prototype.connect = function (...args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const host = typeof first === "object" ? first.host : /^\d+$/.test(first) && typeof second === "string" ? second : undefined;
  if (host !== undefined && !["127.0.0.1", "::1", "localhost"].includes(host)) throw new Error(`loopback.mjs: no connection to ${host}`);
  return connect.apply(this, args);
};
