#if Server
import JSONKit

/// Reads a configuration in JSON, strictly: no duplicate names, comments or trailing commas.
struct JSONConfigurationReader {
    let source: String

    func value(of text: String) throws(OperationsError) -> ConfigurationValue {
        var limits = JSONLimits.default
        limits.depth = ConfigurationValue.maximumDepth
        limits.values = ConfigurationValue.maximumCount
        do throws(JSONError) {
            return ConfigurationValue(try JSONValue(parsing: text, limits: limits))
        } catch {
            let position = error.offset.map { " " + Self.position(of: $0, in: text) } ?? ""
            // The error's own message may show the text at fault, which may be a secret.
            throw OperationsError(
                error.code == .duplicateName ? .duplicateKey : .malformedFile,
                "the text is not JSON as required: \(error.code)\(position)",
                source: source
            )
        }
    }

    private static func position(of offset: Int, in text: String) -> String {
        var line = 1
        var column = 1
        for byte in text.utf8.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        return "at line \(line), column \(column)"
    }
}
#endif
