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

    /// The text of bytes.
    static func encode(_ bytes: [UInt8]) -> String {
        // The digits of the number that the bytes stand for, its last digit first.
        var digits: [UInt8] = []
        for byte in bytes {
            var carry = Int(byte)
            for index in digits.indices {
                carry += Int(digits[index]) << 8
                digits[index] = UInt8(truncatingIfNeeded: carry % 58)
                carry /= 58
            }
            while carry > 0 {
                digits.append(UInt8(truncatingIfNeeded: carry % 58))
                carry /= 58
            }
        }
        let zeros = bytes.prefix { $0 == 0 }.count
        let text = Array(repeating: alphabet[0], count: zeros) + digits.reversed().map { alphabet[Int($0)] }
        return String(decoding: text, as: UTF8.self)
    }
}
