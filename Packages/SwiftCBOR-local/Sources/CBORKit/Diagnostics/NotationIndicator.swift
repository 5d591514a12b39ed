/// An encoding indicator of diagnostic notation (RFC 8949 section 8.1).
enum NotationIndicator: Equatable {
    /// `_`: with an indefinite length.
    case indefinite
    /// `_i`: with the argument in the first byte.
    case immediate
    /// `_0` to `_3`: with an argument of so many bytes.
    case width(CBORWidth)

    /// The indicator with the characters after the underscore.
    init?(name: String) {
        switch name {
        case "": self = .indefinite
        case "i": self = .immediate
        case "0": self = .width(.one)
        case "1": self = .width(.two)
        case "2": self = .width(.four)
        case "3": self = .width(.eight)
        default: return nil
        }
    }
}
