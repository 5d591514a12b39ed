import CryptoCore
import Foundation
import TestSupport
import Testing

/// Name constraints of every form (RFC 5280, 4.2.1.10).
@Suite
struct NameConstraintTests {
    private static let corpus = Task { try await CertificateCorpus(.p256) }

    private static func isAllowed(
        permitted: [GeneralName] = [],
        excluded: [GeneralName] = [],
        _ names: [GeneralName],
        subject: DistinguishedName? = nil
    ) async throws -> Bool {
        let corpus = try await corpus.value
        let authority = try await corpus.authority(extensions: [
            .certificateAuthority(pathLength: nil), .nameConstraints(permitted: permitted, excluded: excluded),
        ])
        let leaf = try await CertificateBuilder(
            subject: subject ?? .empty,
            publicKey: corpus.root.signer.publicKey,
            validity: corpus.long,
            extensions: names.isEmpty ? [] : [.subjectAlternativeName(names)]
        ).issued(by: authority)
        let result = CertificatePathValidator(anchors: [authority.certificate]).validate([leaf], at: corpus.noon)
        if let failure = result.refusal { #expect(failure.reason == .nameConstraintViolated) }
        return result.verified != nil
    }

    @Test(arguments: [
        ("example.com", "example.com", true), ("example.com", "a.b.Example.COM", true),
        ("example.com", "badexample.com", false),
        ("", "anything.example", true), ("example.com", "com", false),
        ("example.com", "*.example.com", true), ("a.example.com", "*.b.example.com", false),
        ("a.b.example.com", "*.example.com", false),
    ])
    func dnsNames(_ base: String, _ name: String, _ isWithin: Bool) async throws {
        #expect(try await Self.isAllowed(permitted: [.dns(base)], [.dns(name)]) == isWithin)
        #expect(try await Self.isAllowed(excluded: [.dns(base)], [.dns(name)]) == !isWithin)
    }

    /// Refused whether the subtree is permitted or excluded.
    @Test(arguments: [
        // Only constraints on mailboxes and addresses may have a leading dot (RFC 5280, 4.2.1.10).
        (".example.com", "a.example.com"), (".example.com", "example.com"), (".example.com", "other.example"),
        ("example.com", ".example.com"), ("example.com", "a..example.com"), ("example.com", ""),
        // The wildcard has a name in the subtree, and others outside it.
        ("bar.example.com", "*.example.com"), ("BAR.example.com", "*.Example.com"),
    ])
    func dnsNamesOfWhichNothingCanBeTold(_ base: String, _ name: String) async throws {
        #expect(try await !Self.isAllowed(permitted: [.dns(base)], [.dns(name)]))
        #expect(try await !Self.isAllowed(excluded: [.dns(base)], [.dns(name)]))
    }

    @Test(arguments: [
        ("a@example.com", "a@EXAMPLE.com", true), ("a@example.com", "A@example.com", false),
        ("example.com", "b@example.com", true), ("example.com", "b@sub.example.com", false),
        (".example.com", "b@sub.example.com", true), (".example.com", "b@example.com", false),
    ])
    func mailboxes(_ base: String, _ name: String, _ isWithin: Bool) async throws {
        #expect(try await Self.isAllowed(permitted: [.email(base)], [.email(name)]) == isWithin)
        #expect(try await Self.isAllowed(excluded: [.email(base)], [.email(name)]) == !isWithin)
    }

    @Test(arguments: [
        ("example.com", "https://example.com/x", true), ("example.com", "https://u@example.com:8443?x", true),
        ("example.com", "https://a.example.com", false), (".example.com", "https://a.example.com#x", true),
    ])
    func uris(_ base: String, _ name: String, _ isWithin: Bool) async throws {
        #expect(try await Self.isAllowed(permitted: [.uri(base)], [.uri(name)]) == isWithin)
        #expect(try await Self.isAllowed(excluded: [.uri(base)], [.uri(name)]) == !isWithin)
    }

    @Test(arguments: [
        GeneralName.uri("urn:x"), .uri("https://127.0.0.1/"), .uri("https://[::1]/"), .uri("nocolon"),
        .uri("https:///x"), .uri("https://example.com./"), .uri("https://ex%61mple.com/"),
        .uri("https://other.example%2f.example.com/"), .uri(#"https://other.example\@example.com/"#),
        .uri("https://a@b@example.com/"), .uri("https://example.com:x/"), .uri("https://.example.com/"),
    ])
    func addressesWithoutAHostNameCannotBeToldAndAreRefused(_ name: GeneralName) async throws {
        #expect(try await !Self.isAllowed(permitted: [.uri("example.com")], [name]))
        #expect(try await !Self.isAllowed(excluded: [.uri("example.com")], [name]))
    }

    @Test
    func refusesMalformedMailboxes() async throws {
        let names = [
            "a", "a@b@example.com", "@example.com", "a@", "a@example.com.", "a@.example.com", "a@[192.0.2.1]",
        ]
        for name in names {
            #expect(try await !Self.isAllowed(permitted: [.email("example.com")], [.email(name)]))
            #expect(try await !Self.isAllowed(excluded: [.email("example.com")], [.email(name)]))
        }
    }

    @Test(arguments: ["example.com.", ".", "a..example", ".example.com.", "a@example.com."])
    func constraintsThatAreNoHostsExcludeEverything(_ base: String) async throws {
        #expect(try await !Self.isAllowed(excluded: [.email(base)], [.email("a@other.example")]))
        #expect(try await !Self.isAllowed(permitted: [.email(base)], [.email("a@other.example")]))
        #expect(try await !Self.isAllowed(excluded: [.uri(base)], [.uri("https://other.example")]))
        #expect(try await !Self.isAllowed(excluded: [.dns(base)], [.dns("other.example")]))
    }

    /// Mailboxes with letters beyond ASCII lie in the subtrees of the others (RFC 9598, section 6).
    @Test
    func mailboxesInUTF8() async throws {
        func mailbox(_ text: String, tag: UInt8 = 0x0c) throws -> GeneralName {
            .otherName(
                type: try #require(OID("1.3.6.1.5.5.7.8.9")),
                value: ([tag, UInt8(text.utf8.count)] + Array(text.utf8))[...]
            )
        }
        let name = try mailbox("ä@example.com")
        #expect(try await Self.isAllowed(permitted: [.email("example.com")], [name]))
        #expect(try await !Self.isAllowed(excluded: [.email("example.com")], [name]))
        #expect(try await !Self.isAllowed(permitted: [.email("other.example")], [name]))
        #expect(try await Self.isAllowed(excluded: [.email("other.example")], [name]))
        for name in try [mailbox("ä@exämple.com"), mailbox("ä"), mailbox("ä@example.com", tag: 0x16)] {
            #expect(try await !Self.isAllowed(excluded: [.email("other.example")], [name]))
        }
    }

    @Test
    func directoryNames() async throws {
        let base = try DistinguishedName(countryName: "UT", organizationName: "Utopia")
        let inside = try DistinguishedName(countryName: "ut", organizationName: "UTOPIA", commonName: "x")
        let outside = try DistinguishedName(countryName: "UT", organizationName: "Other", commonName: "x")
        #expect(try await Self.isAllowed(permitted: [.directory(base)], [], subject: inside))
        #expect(try await !Self.isAllowed(permitted: [.directory(base)], [], subject: outside))
        #expect(try await !Self.isAllowed(excluded: [.directory(base)], [.directory(inside)]))
        #expect(try await Self.isAllowed(excluded: [.directory(base)], [], subject: outside))
    }

    @Test
    func ipAddresses() async throws {
        let range = GeneralName.ipAddress([192, 0, 2, 0, 255, 255, 255, 0])
        #expect(try await Self.isAllowed(permitted: [range], [.ipAddress([192, 0, 2, 7])]))
        #expect(try await !Self.isAllowed(permitted: [range], [.ipAddress([192, 0, 3, 7])]))
        #expect(try await !Self.isAllowed(excluded: [range], [.ipAddress([192, 0, 2, 7])]))
        let six = GeneralName.ipAddress(([UInt8](repeating: 0x20, count: 16))[...])
        #expect(try await !Self.isAllowed(permitted: [range], [six]))
        #expect(try await !Self.isAllowed(excluded: [range], [.ipAddress([1, 2, 3])]))
    }

    @Test
    func formsThatAreNotConstrainedPassAndUnknownOnesDoNot() async throws {
        let corpus = try await Self.corpus.value
        #expect(try await Self.isAllowed(permitted: [.dns("example.com")], [.email("a@b.example")]))
        let id = try #require(OID("1.2.3"))
        let other = try #require(OID("1.2.4"))
        #expect(try await !Self.isAllowed(excluded: [.registeredID(id)], [.registeredID(other)]))
        #expect(try await !Self.isAllowed(permitted: [.registeredID(id)], [.registeredID(id)]))
        #expect(corpus.root.certificate.isSelfIssued)
    }

    @Test
    func addressesInTheSubjectCountWithoutAlternativeNames() async throws {
        let subject = DistinguishedName([try NameAttribute(.emailAddress, "a@evil.example")])
        #expect(try await !Self.isAllowed(permitted: [.email("good.example")], [], subject: subject))
        #expect(try await Self.isAllowed(permitted: [.email("good.example")], [.dns("x")], subject: subject))
    }

    @Test
    func comparisonsAreBounded() async throws {
        let subtrees = (0..<300).map { GeneralName.dns("a\($0)") }
        let few = (0..<218).map { GeneralName.dns("b\($0)") }
        #expect(try await Self.isAllowed(excluded: subtrees, few))
        #expect(try await !Self.isAllowed(excluded: subtrees, few + [.dns("c")]))
    }

    @Test
    func constraintsThatCannotBeReadRefuse() async throws {
        let corpus = try await Self.corpus.value
        let dns = DER.element(0x82, Array("a".utf8))
        for value: [UInt8] in [
            DER.sequence(), DER.sequence(DER.element(0xa0)),
            DER.sequence(DER.element(0xa0, DER.sequence(dns, [0x80, 1, 1]))),
            DER.sequence(DER.element(0xa0, DER.sequence(DER.element(0x87, [1, 2, 3, 4])))),
        ] {
            let constraints = CertificateExtension(id: .nameConstraints, isCritical: true, value: value)
            let raw = RawCertificate.with {
                $0.extensions = [DER.certificateExtension(30, critical: true, value)]
            }
            let certificate = try Certificate(der: raw.der)
            expect(.invalidDER) { _ = try certificate.nameConstraints }
            let error = await #expect(throws: CryptoError.self) {
                try await corpus.authority(extensions: [.certificateAuthority(pathLength: nil), constraints])
            }
            #expect(error?.path == ["Certificate", "nameConstraints"])
        }
    }
}
