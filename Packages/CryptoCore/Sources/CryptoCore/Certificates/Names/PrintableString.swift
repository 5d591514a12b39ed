/// The characters of PrintableString (X.680, 41.4).
enum PrintableString {
    static func allows(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: " '()+,-./:=?".utf8.contains(character)
        }
    }
}
