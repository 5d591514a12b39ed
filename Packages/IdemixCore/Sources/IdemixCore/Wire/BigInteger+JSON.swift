public import JSONKit

extension BigInteger: IdemixJSON {
    /// The largest number of digits of an integer that is a bare JSON number: twice as many as a modulus of 4096 bits
    /// needs.
    public static let maximumJSONDigits = 2_500
    /// The largest number of characters of an integer in base64: twice as many as a response in a group of 4096 bits
    /// needs.
    public static let maximumJSONCharacters = 2048
    /// The largest number of characters of a disclosed attribute in base64, which may be a picture: four times as many as
    /// the portrait of a passport takes.
    public static let maximumAttributeCharacters = 512 << 10

    /// Reads an integer: base64 of its big-endian bytes in at most ``maximumJSONCharacters`` characters, or a bare number in
    /// decimal of at most ``maximumJSONDigits`` digits.
    ///
    /// Leading zero bytes do no harm.
    ///
    /// - Throws: ``IdemixError/Code/invalidNumber`` for any other value and for a number with a sign, a fraction or a power
    ///   of ten.
    public init(json: JSONValue) throws(IdemixError) {
        try self.init(json: json, characters: Self.maximumJSONCharacters)
    }

    /// Reads an integer of at most so many characters in base64.
    init(json: JSONValue, characters: Int) throws(IdemixError) {
        switch json {
        case .string(let text):
            guard text.utf8.count <= characters else {
                throw IdemixError(.invalidNumber, "an integer has at most \(characters) characters of base64")
            }
            do {
                self.init(bytes: try JSONBase64.base64.decode(text))
            } catch {
                throw IdemixError(.invalidNumber, "an integer is base64 with padding", cause: error)
            }
        case .number(let number):
            guard !number.text.hasPrefix("-"),
                let integer = BigInteger(decimal: number.text, maximumDigits: Self.maximumJSONDigits)
            else {
                throw IdemixError(
                    .invalidNumber,
                    "a bare integer has at most \(Self.maximumJSONDigits) digits and nothing else"
                )
            }
            self = integer
        default:
            throw IdemixError(.invalidNumber, "\(json.kind) where an integer was expected")
        }
    }

    /// The integer as base64 of its big-endian bytes; zero is the empty text.
    ///
    /// Only for a public number: the text is not wiped.
    ///
    /// - Throws: ``IdemixError/Code/invalidNumber`` for a negative integer.
    public func json() throws(IdemixError) -> JSONValue {
        guard !isNegative else { throw IdemixError(.invalidNumber, "a negative integer has no form in JSON") }
        return .string(JSONBase64.base64.encode(bytes))
    }
}
