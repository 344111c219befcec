import React, { useState } from 'react';

export function Button({ label, onClick }) {
  const [on, setOn] = useState(false);
  return (
    <button onClick={() => { setOn(!on); onClick(); }}>
      Don't {on ? label : 'off'}
    </button>
  );
}

const List = ({ items }) => (
  <ul>
    {items.map((i) => <li key={i.id}>{i.name}</li>)}
  </ul>
);

export default List;
