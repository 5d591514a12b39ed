import CommandSupport
import Testing

@testable import CredentialTool

@Suite struct DecodedInputTests {
    static let bytes: [UInt8] = [0xa1, 0x01, 0x62, 0xff, 0xfe]

    @Test(arguments: [
        ("a10162fffe", InputEncoding.hexadecimal),
        (" A1 01 62\nFF fe\n", .hexadecimal),
        ("oQFi//4=", .base64),
        ("oQFi__4", .base64url),
        ("mdoc:oQFi__4", .mdocURI),
        ("mdoc://oQFi__4", .mdocURI),
        ("-----BEGIN X-----\noQFi\n//4=\n-----END X-----\n", .pem),
    ])
    func recognizesTextForms(_ text: String, _ encoding: InputEncoding) {
        let input = DecodedInput(recognizing: Array(text.utf8))
        #expect(input.bytes == Self.bytes)
        #expect(input.encoding == encoding)
    }

    @Test func takesBinaryAsItIs() {
        let input = DecodedInput(recognizing: Self.bytes)
        #expect(input.bytes == Self.bytes)
        #expect(input.encoding == nil)
    }

    @Test(arguments: ["{\"a\": 1}", "hello, world", "mdoc:***", "-----BEGIN X-----\n***\n-----END X-----"])
    func takesOtherTextAsItIs(_ text: String) {
        let input = DecodedInput(recognizing: Array(text.utf8))
        #expect(input.bytes == Array(text.utf8))
        #expect(input.encoding == nil)
    }
}
