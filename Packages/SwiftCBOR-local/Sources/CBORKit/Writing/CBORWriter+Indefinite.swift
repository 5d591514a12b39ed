// Indefinite lengths (RFC 8949 section 3.2), for items whose number is not known in advance.
extension CBORWriter {
    /// Writes the head of an array of indefinite length; its items and ``endIndefinite()`` must follow.
    public mutating func beginIndefiniteArray() {
        output.append(0x9f)
    }

    /// Writes the head of a map of indefinite length; its pairs and ``endIndefinite()`` must follow.
    public mutating func beginIndefiniteMap() {
        output.append(0xbf)
    }

    /// Writes the head of a byte string in chunks; its chunks, each written as bytes, and ``endIndefinite()`` must follow.
    public mutating func beginIndefiniteBytes() {
        output.append(0x5f)
    }

    /// Writes the head of a text string in chunks; its chunks, each written as text, and ``endIndefinite()`` must follow.
    public mutating func beginIndefiniteText() {
        output.append(0x7f)
    }

    /// Ends the innermost item of indefinite length.
    public mutating func endIndefinite() {
        output.append(TapeEntry.breakByte)
    }
}
