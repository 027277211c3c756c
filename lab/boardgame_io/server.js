// The peer that benchmarks.peer measures: an auction of eight seats on boardgame.io, kept in memory.
// A bid is good if it is above the seat's standing amount; the server sends the new board to everybody.
const { Server } = require('boardgame.io/server');
const { INVALID_MOVE } = require('boardgame.io/core');

const bid = ({ G, playerID }, seat, amount) => {
  if (!(seat in G.seats) || !(amount > G.seats[seat].amount)) return INVALID_MOVE;
  G.seats[seat] = { amount, player: playerID };
};

const game = {
  name: 'auction',
  setup: () => ({ seats: Array.from({ length: 8 }, () => ({ amount: 0, player: null })) }),
  turn: { activePlayers: { all: 'open' }, stages: { open: { moves: { bid: { move: bid, ignoreStaleStateID: true } } } } },
};

const server = Server({ games: [game], origins: [/.*/] });
server.run(0, () => {}).then(({ appServer }) => console.log(appServer.address().port));
