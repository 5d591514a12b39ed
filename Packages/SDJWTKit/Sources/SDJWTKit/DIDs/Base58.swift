/// The encoding base58btc of keys in DIDs.
enum Base58 {
    /// The longest text that is read; the time it takes grows with the square.
    static let maximumLength = 1024

    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    /// The bytes of a text; nil for a character outside the alphabet and for a text that is too long.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count <= maximumLength else { return nil }
        // The number that the text stands for, its last byte first.
        var number: [UInt8] = []
        for character in text {
            guard let digit = alphabet.firstIndex(of: character) else { return nil }
            var carry = digit
            for index in number.indices {
                carry += Int(number[index]) * 58
                number[index] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
            if carry > 0 { number.append(UInt8(truncatingIfNeeded: carry)) }
        }
        let zeros = text.prefix { $0 == alphabet[0] }.count
        return Array(repeating: 0, count: zeros) + number.reversed()
    }
}
