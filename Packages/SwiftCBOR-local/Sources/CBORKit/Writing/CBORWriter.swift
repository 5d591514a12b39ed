/// Writes items one after the other, in preferred serialization.
///
/// ```swift
/// var writer = CBORWriter()
/// writer.beginArray(count: 2)
/// writer.write(text: "Signature1")
/// writer.write(bytes: payload)
/// let bytes = writer.finish()
/// ```
///
/// Nothing is checked: it is up to the caller that the items announced by a count follow, and that a map gets no key
/// twice. ``CBOR`` values cannot go wrong; this is for structures that are known.
public struct CBORWriter: ~Copyable {
    var output: OutputBuffer

    /// A writer with nothing written.
    ///
    /// - Parameter capacity: The number of bytes to make room for at first.
    public init(capacity: Int = 256) {
        output = OutputBuffer(capacity: max(capacity, 16))
    }

    /// The number of bytes written so far.
    public var count: Int { output.count }

    /// The bytes written.
    public consuming func finish() -> [UInt8] {
        output.array()
    }

    /// Writes an integer of major type 0.
    public mutating func write(unsigned value: UInt64) {
        output.append(0, value)
    }

    /// Writes the integer −1 − n of major type 1.
    public mutating func write(negative argument: UInt64) {
        output.append(1, argument)
    }

    /// Writes an integer: of major type 0 or 1, or a bignum beyond 64 bits.
    public mutating func write(integer value: some BinaryInteger) {
        if let value = Int64(exactly: value) {
            value < 0 ? output.append(1, UInt64(~value)) : output.append(0, UInt64(value))
        } else {
            write(.integer(value))
        }
    }

    /// Writes a byte string.
    public mutating func write(bytes: some Collection<UInt8>) {
        output.append(2, UInt64(bytes.count))
        append(bytes)
    }

    /// Writes the head of a byte string; so many bytes must follow.
    public mutating func beginBytes(count: Int) {
        output.append(2, UInt64(count.magnitude))
    }

    /// Writes a text string.
    public mutating func write(text: String) {
        output.append(text: text)
    }

    /// Writes a simple value.
    public mutating func write(_ value: CBORSimpleValue) {
        output.append(7, UInt64(value.rawValue))
    }

    /// Writes false or true.
    public mutating func write(bool value: Bool) {
        write(value ? .true : .false)
    }

    /// Writes null.
    public mutating func writeNull() {
        write(.null)
    }

    /// Writes a floating-point number in the shortest precision that holds it; NaN as `f97e00`.
    public mutating func write(double value: Double) {
        write(CBORFloat(value))
    }

    /// Writes a floating-point number in the shortest precision that holds it; NaN as `f97e00`.
    public mutating func write(_ number: CBORFloat) {
        output.append(number.preferred)
    }

    /// Writes the head of an array; so many items must follow.
    public mutating func beginArray(count: Int) {
        output.append(4, UInt64(count.magnitude))
    }

    /// Writes the head of a map; so many pairs, key before value, must follow.
    public mutating func beginMap(count: Int) {
        output.append(5, UInt64(count.magnitude))
    }

    /// Writes the head of a tag; its content must follow.
    public mutating func write(tag number: UInt64) {
        output.append(6, number)
    }

    /// Writes items that are encoded already.
    public mutating func write(encoded bytes: some Collection<UInt8>) {
        append(bytes)
    }

    /// Writes a byte string under tag 24 that holds an encoded item (RFC 8949 section 3.4.5.1).
    public mutating func write(embedded item: some Collection<UInt8>) {
        write(tag: 24)
        write(bytes: item)
    }

    /// Writes a value.
    public mutating func write(_ value: CBOR, options: CBOREncodingOptions = .preferred) {
        value.append(to: &output, options)
    }

    /// Writes a value of a type that says how.
    public mutating func write(_ value: some CBOREncodable) {
        value.encode(to: &self)
    }

    private mutating func append(_ bytes: some Collection<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable {
            unsafe output.append(contentsOf: UnsafeRawBufferPointer($0))
        }
        guard done == nil else { return }
        for byte in bytes { output.append(byte) }
    }
}

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
