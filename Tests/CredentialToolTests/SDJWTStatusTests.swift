import CommandTesting
import CredentialTesting
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import StatusListKit
import Testing

@testable import CredentialTool

/// A credential that can be revoked, verified with and without the list of its issuer.
@Suite struct SDJWTStatusTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)
    private static let uri = "https://issuer.example/lists/1"

    private let folder: TemporaryFolder
    private let key: PrivateKey

    init() throws {
        folder = try TemporaryFolder()
        key = try PrivateKey.generate(.p256)
    }

    /// - Parameter others: Further keys of the issuer, which then publishes a JWK Set.
    private func verify(
        index: Int,
        publishing others: [PrivateKey] = [],
        _ options: [String]
    ) async throws -> Invocation {
        let claims = #"{"given_name": "Erika", "status": {"status_list": {"idx": \#(index), "uri": "\#(Self.uri)"}}}"#
        let issued = await Invocation.run(arguments: [
            "sdjwt", "issue", try folder.write(claims, to: "claims.json"), "--issuer-key",
            try folder.write(key.pem, to: "private.pem"), "--credential-type", "https://issuer.example/person",
        ])
        try #require(issued.status == 0, "\(issued.errors)")
        let credential = try folder.write(issued.output, to: "credential.sdjwt")
        let keys = JWKSet(try ([key] + others).map { try JWK($0.publicKey) })
        let published = others.isEmpty ? key.publicKey.pem : String(decoding: keys.encoded(), as: UTF8.self)
        let issuer = try folder.write(published, to: "issuer")
        return await Invocation.run(
            arguments: ["sdjwt", "verify", credential, "--key", issuer] + options,
            now: Self.now
        )
    }

    /// A list whose first entries are valid, invalid and suspended, as the issuer publishes it.
    private func list(
        _ form: StatusListToken.Form,
        signedBy signer: PrivateKey? = nil,
        certified certificate: Certificate? = nil,
        revokingTheFirst isFirstRevoked: Bool = false,
        issued age: TimeInterval = 60
    ) async throws -> String {
        var list = try StatusList(count: 16, bits: .two)
        if isFirstRevoked { try list.set(.invalid, at: 0) }
        try list.set(.invalid, at: 1)
        try list.set(.suspended, at: 2)
        let content = try StatusListContent(uri: Self.uri, list: list, issuedAt: Self.now - age)
        let signer = try SoftwareSigner(signer ?? key)
        let token =
            switch form {
            case .jwt:
                try await content.signedJWT(
                    header: certificate.map { ["x5c": [.string(Data($0.derBytes).base64EncodedString())]] } ?? [:],
                    with: signer
                )
            case .cwt: try await content.signedCWT(with: signer)
            }
        let file = folder.path("list-\(age)")
        try Data(token.encodedBytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    @Test func followsTheList() async throws {
        let list = try await list(.jwt)
        for (index, status, text) in [
            (0, 0, "verdict: verified\n"), (1, 1, "reason: revoked\n"), (2, 1, "reason: suspended\n"),
            (99, 1, "reason: statusUnknown\n"),
        ] as [(Int, Int32, String)] {
            let invocation = try await verify(index: index, ["--status", list])
            #expect(invocation.status == status, "\(invocation.output)\(invocation.errors)")
            #expect(invocation.output.contains(text))
            #expect(invocation.output.contains("Erika") == (status == 0))
        }
    }

    /// Of two lists of one URI the one issued last counts, in whichever order they are named.
    @Test func theListIssuedLastCounts() async throws {
        let earlier = try await list(.jwt, issued: 120)
        let later = try await list(.jwt, revokingTheFirst: true)
        #expect(try await verify(index: 0, ["--status", earlier]).status == 0)
        for lists in [[earlier, later], [later, earlier]] {
            let revoked = try await verify(index: 0, lists.flatMap { ["--status", $0] })
            #expect(revoked.output.contains("reason: revoked\n"), "\(revoked.output)\(revoked.errors)")
        }
    }

    /// The list of an SD-JWT VC is a JWT.
    @Test func takesNoListInCWTForm() async throws {
        let list = try await list(.cwt)
        for index in [0, 1] {
            let invocation = try await verify(index: index, ["--status", list])
            #expect(invocation.status == 1, "\(invocation.output)\(invocation.errors)")
            #expect(invocation.output.contains("reason: statusUnknown\n"))
            #expect(invocation.output.contains("statuslist+cwt"), "\(invocation.output)")
        }
    }

    @Test func aRevokedCredentialIsNotVerifiedWithoutTheList() async throws {
        let without = try await verify(index: 1, [])
        #expect(without.status == 1)
        #expect(without.output.contains("reason: statusUnknown\n"))
        // Nothing was fetched: the message names the options, and not the answer of a server.
        #expect(without.output.contains("name it with --status, or have it fetched with --online-status"))
        let ignored = try await verify(index: 1, ["--ignore-status"])
        #expect(ignored.status == 0)
        #expect(ignored.output.contains("status: waived by status"))
    }

    @Test func listsOfAnotherSignerNeedItsKey() async throws {
        let other = try PrivateKey.generate(.p256)
        let list = try await list(.jwt, signedBy: other)
        #expect(try await verify(index: 0, ["--status", list]).status == 1)
        let named = try folder.write(other.publicKey.pem, to: "lists.pem")
        #expect(try await verify(index: 0, ["--status", list, "--status-key", named]).status == 0)
    }

    @Test func takesASignerThatAnAuthorityCertified() async throws {
        let pki = try await MdocTestPKI.make(at: Self.now)
        let signer = try PrivateKey.generate(.p256)
        let certificate = try await pki.iaca.issueStatusListSigner(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia lists"),
            publicKey: signer.publicKey,
            validity: Self.now - 3600...Self.now + 3600,
            purposes: []
        )
        let list = try await list(.jwt, signedBy: signer, certified: certificate)
        let (other, anchor) = (try await MdocTestPKI.make(at: Self.now), folder.path("authority.pem"))
        for (authority, status) in [(pki.iaca.certificate, 0), (other.iaca.certificate, 1)] as [(Certificate, Int32)] {
            _ = try folder.write(authority.pem, to: "authority.pem")
            let invocation = try await verify(index: 0, ["--status", list, "--status-trust", anchor])
            #expect(invocation.status == status, "\(invocation.output)\(invocation.errors)")
        }
        let unnamed = try await verify(index: 0, ["--status", list])
        #expect(unnamed.output.contains("reason: statusUnknown\n"), "\(unnamed.output)")
        let both = try await verify(index: 0, ["--status", list, "--status-trust", anchor, "--status-key", anchor])
        #expect(both.status != 0 && both.errors.contains("not both"), "\(both.errors)")
    }

    /// An issuer that has a new key signs with it the lists of earlier credentials, too.
    @Test func takesAListByAnyKeyOfTheIssuersSet() async throws {
        let later = try PrivateKey.generate(.p256)
        let list = try await list(.jwt, signedBy: later)
        for (index, status) in [(0, 0), (1, 1)] as [(Int, Int32)] {
            let invocation = try await verify(index: index, publishing: [later], ["--status", list])
            #expect(invocation.status == status, "\(invocation.output)\(invocation.errors)")
            #expect(invocation.output.contains("reason: revoked\n") == (status == 1), "\(invocation.output)")
        }
        let unknown = try await verify(index: 0, publishing: [try PrivateKey.generate(.p256)], ["--status", list])
        #expect(unknown.status == 1)
        #expect(unknown.output.contains("reason: statusUnknown\n"), "\(unknown.output)")
    }

    @Test func theReportForMachinesHasTheDocumentedForm() async throws {
        let report = try JSONValue(parsing: try await verify(index: 1, ["--ignore-status", "--json"]).output)
        let verification = try #require(report["verification"])
        #expect(verification["verdict"] == "verified")
        #expect(verification["time"] == 1_700_000_000)
        let status = verification["checks"]?.arrayValue?.first { $0["check"] == "status" }
        #expect(status == ["check": "status", "result": "waived", "message": "status", "policy": "status"])
    }

    @Test func whatIsNoList() async throws {
        let text = try folder.write("no list", to: "list.txt")
        let invocation = try await verify(index: 0, ["--status", text])
        #expect(invocation.status == 2)
        #expect(invocation.errors.contains("no readable status list"))
        let both = try await verify(index: 0, ["--status", text, "--ignore-status"])
        #expect(both.status == 2)
    }
}
