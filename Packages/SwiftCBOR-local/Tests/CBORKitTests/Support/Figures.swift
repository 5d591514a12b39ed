import CBORKit
import TestSupport
import Testing

extension [UInt8] {
    /// The bytes of a figure in hexadecimal, which a test has as a literal.
    init(figure hex: String) throws {
        self = try #require([UInt8](hex: hex), "\(hex)")
    }
}

extension CBORError {
    /// The error of reading the bytes as one item; nil for well-formed bytes.
    static func reading(_ bytes: [UInt8], _ options: CBORReadingOptions = .default) -> CBORError? {
        do throws(CBORError) {
            _ = try CBORDocument(bytes, options: options)
            return nil
        } catch {
            return error
        }
    }
}

extension CBORReadingOptions {
    /// The default options, changed.
    static func with(_ change: (inout CBORReadingOptions) -> Void) -> CBORReadingOptions {
        var options = CBORReadingOptions.default
        change(&options)
        return options
    }
}
