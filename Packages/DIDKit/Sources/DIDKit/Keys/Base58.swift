/// The encoding base58btc of keys in DIDs.
enum Base58 {
    /// The longest text that is read; the time it takes grows with the square.
    static let maximumLength = 1024

    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    /// The digit of each character; `none` for those outside the alphabet.
    private static let digits: [UInt8] = {
        var digits = Array(repeating: none, count: 256)
        for (digit, character) in alphabet.enumerated() { digits[Int(character)] = UInt8(digit) }
        return digits
    }()

    private static let none: UInt8 = 0xff

    /// The bytes of a text; nil for a character outside the alphabet and for a text that is too long.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count <= maximumLength else { return nil }
        let digits = digits
        // The number that the text stands for in words of 32 bits, its last word first.
        var number: [UInt32] = []
        number.reserveCapacity(text.count * 3 / 16 + 1)
        for character in text {
            let digit = digits[Int(character)]
            guard digit != none else { return nil }
            var carry = UInt64(digit)
            for index in number.indices {
                carry += UInt64(number[index]) * 58
                number[index] = UInt32(truncatingIfNeeded: carry)
                carry >>= 32
            }
            if carry > 0 { number.append(UInt32(truncatingIfNeeded: carry)) }
        }
        let zeros = text.prefix { $0 == alphabet[0] }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(zeros + 4 * number.count)
        bytes.append(contentsOf: repeatElement(0, count: zeros))
        var isLeading = true
        for word in number.reversed() {
            for shift in [24, 16, 8, 0] as [UInt32] {
                let byte = UInt8(truncatingIfNeeded: word >> shift)
                if isLeading, byte == 0 { continue }
                isLeading = false
                bytes.append(byte)
            }
        }
        return bytes
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
