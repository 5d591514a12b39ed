import CredentialTransport
import Foundation
import JSONKit
import OID4VPKit
import OID4VPMessages
import Testing

@testable import CredentialTool

/// What the wallet on the command line tells verifiers of itself.
@Suite struct OID4VPTrustOptionsTests {
    /// The metadata are sent before the holder's consent, so they say nothing about the credentials.
    @Test func sendsEveryFormatWhateverTheWalletHolds() async throws {
        let transport = InMemoryHTTPTransport([:])
        var policy = RequestAuthenticationPolicy()
        policy.walletMetadata = RequestTrustOptions.walletMetadata
        let authenticator = RequestAuthenticator(policy: policy, transport: transport)
        var form = FormParameters()
        for (name, value) in [
            ("client_id", "x509_san_dns:v.example"), ("request_uri", "https://v.example/request"),
            ("request_uri_method", "post"),
        ] {
            form.append(name, value)
        }
        let request = try AuthorizationRequest(url: "openid4vp://?" + form.text)
        _ = await authenticator.authenticate(request, at: Date(timeIntervalSince1970: 1_800_000_000))
        let posted = try FormParameters(
            decoding: String(decoding: #require(transport.requests.first).body, as: UTF8.self)
        )
        let metadata = try JSONValue(parsing: #require(posted["wallet_metadata"]))
        let formats = try #require(metadata["vp_formats_supported"]?.objectValue)
        #expect(Set(formats.names) == ["mso_mdoc", "dc+sd-jwt", "vc+sd-jwt", "ldp_vc", "jwt_vc_json"])
    }

    @Test func knowsTheRuleOfRedirects() {
        #expect(ProfileRuleName(argument: ProfileRule.redirect.description)?.rule == .redirect)
    }
}
