import OID4VPMessages
import Testing

struct FormParametersTests {
    @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%4g", "%=1", "a=1&b=%2"]) func malformedEscape(text: String) {
        expect(.invalidURL) { () throws(OID4VPError) in try FormParameters(decoding: text) }
    }

    @Test(arguments: ["a=%ff", "%c3%28=1", "a=%C3"]) func invalidUTF8(text: String) {
        expect(.invalidURL) { () throws(OID4VPError) in try FormParameters(decoding: text) }
    }

    /// Empty parts are no parameters.
    @Test func maximumParameters() throws {
        let most = (0..<64).map { "p\($0)=1" }.joined(separator: "&&")
        #expect(try FormParameters(decoding: "&" + most + "&&").items.count == 64)
        expect(.limitExceeded) { () throws(OID4VPError) in try FormParameters(decoding: most + "&q=1") }
        #expect(try FormParameters(decoding: "a=1", maximumParameters: 1).items.count == 1)
        expect(.limitExceeded) { () throws(OID4VPError) in try FormParameters(decoding: "a=1&b=1", maximumParameters: 1)
        }
        expect(.limitExceeded) { () throws(OID4VPError) in try FormParameters(decoding: "a=1", maximumParameters: 0) }
    }

    @Test func everyByteComesBack() throws {
        let text = String(decoding: (0..<128).map { UInt8($0) }, as: UTF8.self) + "\u{e4}\u{20ac}\u{1f98a}"
        var form = FormParameters()
        form.append("name \(text)", text)
        form.append("other", "")
        let again = try FormParameters(decoding: form.text)
        #expect(again.items.map(\.name) == form.items.map(\.name))
        #expect(again.items.map(\.value) == form.items.map(\.value))
        let unreserved = "AZaz09-._~"
        var plain = FormParameters()
        plain.append(unreserved, unreserved)
        #expect(plain.text == "\(unreserved)=\(unreserved)")
    }
}
