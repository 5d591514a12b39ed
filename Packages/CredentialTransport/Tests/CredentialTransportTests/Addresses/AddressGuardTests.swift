import CredentialTransport
import Testing

@Suite struct AddressGuardTests {
    private let host = HTTPURL.Host.name("issuer.example")

    @Test func takesHTTPSToNamedHosts() throws {
        try AddressGuard().requireAllowed(HTTPURL("https://issuer.example/a"))
        try AddressGuard().requireAllowed(HTTPURL("https://issuer.example:8443/a"))
    }

    @Test func refusesPlainHTTPUnlessAllowed() async throws {
        let url = try HTTPURL("http://issuer.example/")
        await refusal(.schemeNotAllowed) { try AddressGuard().requireAllowed(url) }
        try AddressGuard(plainHTTP: true).requireAllowed(url)
    }

    @Test func refusesLiteralAddressesUnlessAllowed() async throws {
        for text in ["https://1.1.1.1/", "https://[2606:4700:4700::1111]/"] {
            let url = try HTTPURL(text)
            await refusal(.literalAddressNotAllowed) { try AddressGuard().requireAllowed(url) }
            try AddressGuard(literalAddresses: true).requireAllowed(url)
        }
        for text in ["https://127.0.0.1/", "https://[::1]/", "https://[::ffff:127.0.0.1]/"] {
            let url = try HTTPURL(text)
            await refusal(.addressNotAllowed) { try AddressGuard(literalAddresses: true).requireAllowed(url) }
            try AddressGuard(allowing: [.loopback], literalAddresses: true).requireAllowed(url)
        }
    }

    @Test(arguments: [
        (PortPolicy.web, 443, true), (.web, 80, true), (.web, 1024, true), (.web, 8443, true), (.web, 65535, true),
        (.web, 22, false), (.web, 25, false), (.web, 1023, false), (.web, 6000, false), (.web, 6667, false),
        (.standard, 443, true), (.standard, 80, false), (.only([8080]), 8080, true), (.only([8080]), 443, false),
        (.any, 22, true),
    ])
    func ports(policy: PortPolicy, port: UInt16, isAllowed: Bool) async throws {
        let url = try HTTPURL("https://issuer.example:\(port)/")
        #expect(policy.allows(port) == isAllowed)
        if isAllowed {
            try AddressGuard(ports: policy).requireAllowed(url)
        } else {
            await refusal(.portNotAllowed) { try AddressGuard(ports: policy).requireAllowed(url) }
        }
    }

    @Test func oneForbiddenAddressCondemnsTheHost() async throws {
        try AddressGuard().requireAllowed([.v4(0x0101_0101), .v4(0x0808_0808)], of: host)
        let error = await refusal(.addressNotAllowed) {
            try AddressGuard().requireAllowed([.v4(0x0101_0101), .v4(0x7f00_0001)], of: host)
        }
        #expect(error?.message == "127.0.0.1 is loopback")
        #expect(error?.path == ["issuer.example"])
    }

    @Test func anAllowedKindAllowsNoOther() async throws {
        let permissive = AddressGuard(allowing: [.linkLocal, .loopback])
        try permissive.requireAllowed([.v4(0x7f00_0001), .v4(0xa9fe_0001)], of: host)
        await refusal(.addressNotAllowed) { try permissive.requireAllowed([.v4(0xa9fe_a9fe)], of: host) }
        await refusal(.addressNotAllowed) { try permissive.requireAllowed([.v4(0x0a00_0001)], of: host) }
    }

    @Test func refusesNoAddressAndTooMany() async throws {
        let most = Array(repeating: IPAddress.v4(0x0101_0101), count: AddressGuard.maximumAddresses)
        try AddressGuard().requireAllowed(most, of: host)
        await refusal(.resolutionFailed) { try AddressGuard().requireAllowed([], of: host) }
        await refusal(.resolutionFailed) { try AddressGuard().requireAllowed(most + [.v4(0x0101_0101)], of: host) }
    }
}
