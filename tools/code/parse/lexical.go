package parse

func (b *builder) readLexical() {}
