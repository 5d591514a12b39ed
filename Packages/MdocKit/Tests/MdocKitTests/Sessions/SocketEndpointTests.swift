import CredentialTransport
import MdocKit
import MdocProximity
import Testing

@Suite struct SocketEndpointTests {
    @Test(arguments: ["/tmp/wallet.socket", "./wallet", "127.0.0.1:7000", "[::1]:65535", "[2001:db8::1]:0"])
    func readsWhatItWrites(_ text: String) throws {
        #expect(try #require(SocketEndpoint(text)).description == text)
    }

    @Test func namesAFileOfTheCurrentFolder() {
        #expect(SocketEndpoint.unix(path: "wallet").description == "./wallet")
    }

    @Test(arguments: [
        "", "wallet", "7000", "127.0.0.1", "127.0.0.1:65536", "::1:7000", "[127.0.0.1]:7000", "[::1]", "a:1",
    ])
    func refusesOtherTexts(_ text: String) {
        #expect(SocketEndpoint(text) == nil)
    }
}
