/// The JSON Canonicalization Scheme (RFC 8785).
struct JSONCanonicalStyle: JSONStyle {
    var indentation: Int? { nil }
    var escapesInvisible: Bool { false }
    static var copiesText: Bool { false }

    /// Sorts members by their names as UTF-16 code units (section 3.2.3).
    func arrange(_ object: JSONObject) -> [JSONObject.Entry]? {
        object.members.sorted { a, b in
            a.name.withSpan { a in b.name.withSpan { b in Self.precedesInUTF16(a, b) } }
        }
    }

    /// Writes a number as ECMAScript does (section 3.2.2.3); refuses one that a `Double` would change.
    func append(
        _ number: JSONNumber,
        to output: inout JSONOutput,
        in level: JSONWriterLevel,
        _ levels: borrowing JSONWriterLevels
    ) throws(JSONError) {
        do throws(JSONNumberFailure) {
            output.append(text: ECMAScriptNumber.text(of: try Double(exact: number)), then: UInt8(ascii: ","))
        } catch {
            throw error.error(number.text, asking: Double.self, path: levels.path(in: level))
        }
    }

    /// Returns `true` if a UTF-8 text comes before another in the order of UTF-16 code units.
    ///
    /// Both forms order characters alike but for one thing: UTF-16 writes what lies above U+FFFF with code units of
    /// U+D800 and on, before U+E000, whose UTF-8 starts with 0xEE.
    private static func precedesInUTF16(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
        let common = min(a.count, b.count)
        guard let offset = (0..<common).first(where: { a[$0] != b[$0] }) else { return a.count < b.count }
        let isAboveA = a[offset] >= 0xf0
        let isAboveB = b[offset] >= 0xf0
        guard isAboveA != isAboveB, min(a[offset], b[offset]) >= 0xee else { return a[offset] < b[offset] }
        return isAboveA
    }
}
