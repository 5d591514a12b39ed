import CredentialTesting
import CryptoCore
import Foundation
import TestSupport
import Testing

/// Certificate policies along a path, where an issuer requires one (RFC 5280, 6.1).
@Suite
struct CertificatePolicyTests {
    private static let corpus = Task { try await CertificateCorpus(.p256) }

    private static let gold = OID("1.3.6.1.4.1.32473.1")
    private static let silver = OID("1.3.6.1.4.1.32473.2")
    private static let any = OID("2.5.29.32.0")

    /// Extensions of a certificate.
    private typealias Extensions = [CertificateExtension]

    private static func policies(_ policies: OID?...) -> CertificateExtension {
        .certificatePolicies(policies.compactMap(\.self))
    }

    private static func constraints(
        explicit: UInt8? = nil,
        mapping: UInt8? = nil,
        isCritical: Bool = true
    ) -> CertificateExtension {
        let explicit = explicit.map { DER.element(0x80, [$0]) } ?? []
        let mapping = mapping.map { DER.element(0x81, [$0]) } ?? []
        return CertificateExtension(
            id: .policyConstraints,
            isCritical: isCritical,
            value: DER.sequence(explicit, mapping)
        )
    }

    private static func inhibitAnyPolicy(_ skipped: UInt8) -> CertificateExtension {
        CertificateExtension(id: .inhibitAnyPolicy, isCritical: true, value: DER.integer(skipped))
    }

    private static func mapping(_ issuer: OID?, to subject: OID?) -> CertificateExtension {
        let policies = [issuer, subject].compactMap(\.self).map { DER.element(0x06, Array($0.encodedBytes)) }
        return CertificateExtension(
            id: .policyMappings,
            isCritical: true,
            value: DER.sequence(DER.element(0x30, policies))
        )
    }

    /// The reason of the refusal of a path with these extensions, from the anchor down to the leaf; nil if it is valid.
    private static func refusal(_ path: Extensions..., selfIssued: Bool = false) async throws -> Reason? {
        let corpus = try await corpus.value
        let authority: Extensions = [.certificateAuthority(pathLength: nil), .keyUsage(.keyCertSign)]
        let anchor = try await corpus.authority(name: "Anchor", extensions: authority + (path.first ?? []))
        var issuer = anchor
        var chain: [Certificate] = []
        for (index, extensions) in path.dropFirst().dropLast().enumerated() {
            issuer = try await corpus.authority(
                by: issuer,
                name: selfIssued ? "Anchor" : "Authority \(index)",
                extensions: authority + extensions
            )
            chain.insert(issuer.certificate, at: 0)
        }
        chain.insert(try await corpus.leaf(by: issuer, extensions: path.last ?? []), at: 0)
        let result = CertificatePathValidator(anchors: [anchor.certificate]).validate(chain, at: corpus.noon)
        if let refusal = result.refusal, refusal.reason == .invalidCertificatePolicy {
            #expect(refusal.check == .certificatePolicies)
        }
        return result.refusal?.reason
    }

    @Test
    func noPolicyIsNeededUnlessAnIssuerRequiresOne() async throws {
        #expect(try await Self.refusal([], [], []) == nil)
        #expect(try await Self.refusal([], [Self.policies(Self.gold)], [Self.policies(Self.silver)]) == nil)
        #expect(try await Self.refusal([], [Self.constraints(mapping: 0), Self.inhibitAnyPolicy(0)], []) == nil)
        #expect(try await Self.refusal([], [Self.constraints(explicit: 3)], [], []) == nil)
    }

    @Test(arguments: [true, false])
    func requiredPolicyMustHoldForTheWholePath(_ isCritical: Bool) async throws {
        let required = Self.constraints(explicit: 0, isCritical: isCritical)
        let gold = Self.policies(Self.gold)
        #expect(try await Self.refusal([], [required, gold], [gold]) == nil)
        #expect(try await Self.refusal([], [required, gold], [Self.policies(Self.silver, Self.gold)]) == nil)
        #expect(
            try await Self.refusal([], [required, gold], [Self.policies(Self.silver)]) == .invalidCertificatePolicy
        )
        #expect(try await Self.refusal([], [required, gold], []) == .invalidCertificatePolicy)
        #expect(try await Self.refusal([], [required], [gold]) == .invalidCertificatePolicy)
        #expect(try await Self.refusal([], [gold], [gold, required], [gold]) == nil)
        #expect(try await Self.refusal([], [], [gold, required], [gold]) == .invalidCertificatePolicy)
    }

    @Test
    func requirementBeginsAfterTheSkippedCertificates() async throws {
        let gold = Self.policies(Self.gold)
        let later = Self.constraints(explicit: 1)
        #expect(try await Self.refusal([], [later, gold], [gold], [gold]) == nil)
        #expect(try await Self.refusal([], [later, gold], [gold], []) == .invalidCertificatePolicy)
        // The end of the path counts as one certificate more (6.1.5 (a)).
        #expect(try await Self.refusal([], [later], []) == .invalidCertificatePolicy)
        // Self-issued certificates do not count.
        #expect(try await Self.refusal([], [Self.constraints(explicit: 3)], [], [], [], selfIssued: true) == nil)
        #expect(try await Self.refusal([], [Self.constraints(explicit: 3)], [], [], []) == .invalidCertificatePolicy)
        // A leaf may require a policy of its own path.
        #expect(try await Self.refusal([], [], [Self.constraints(explicit: 0)]) == .invalidCertificatePolicy)
        #expect(try await Self.refusal([], [gold], [gold, Self.constraints(explicit: 0)]) == nil)
    }

    @Test
    func anchorRequiresPoliciesOfThePathBelow() async throws {
        let gold = Self.policies(Self.gold)
        #expect(try await Self.refusal([Self.constraints(explicit: 0)], [gold], [gold]) == nil)
        #expect(try await Self.refusal([Self.constraints(explicit: 0)], [gold], []) == .invalidCertificatePolicy)
    }

    /// RFC 5937, 3.2: the policies of the anchor are the acceptable ones.
    @Test
    func requiredPolicyMustBeOneOfTheAnchor() async throws {
        let required = Self.constraints(explicit: 0)
        let gold = Self.policies(Self.gold)
        let silver = Self.policies(Self.silver)
        let any = Self.policies(Self.any)
        #expect(try await Self.refusal([required, gold], [gold], [gold]) == nil)
        #expect(try await Self.refusal([required, gold], [silver], [silver]) == .invalidCertificatePolicy)
        #expect(try await Self.refusal([required, any], [silver], [silver]) == nil)
        #expect(try await Self.refusal([required, gold], [any], [gold]) == nil)
        #expect(try await Self.refusal([required, gold], [any], [silver]) == .invalidCertificatePolicy)
        let mapping = Self.mapping(Self.gold, to: Self.silver)
        #expect(try await Self.refusal([required, gold], [gold, mapping], [silver]) == nil)
        #expect(try await Self.refusal([required, silver], [gold, mapping], [silver]) == .invalidCertificatePolicy)
        // Without a requirement no policy refuses.
        #expect(try await Self.refusal([gold], [silver], [silver]) == nil)
        #expect(try await Self.refusal([gold], [silver, Self.constraints(mapping: 0)], [silver]) == nil)
    }

    @Test
    func anyPolicyStandsForEveryPolicyUntilInhibited() async throws {
        let required = Self.constraints(explicit: 0)
        let gold = Self.policies(Self.gold)
        let any = Self.policies(Self.any)
        #expect(try await Self.refusal([], [required, any], [gold]) == nil)
        #expect(try await Self.refusal([], [required, gold], [any]) == nil)
        #expect(try await Self.refusal([], [required, any], [any]) == nil)
        #expect(try await Self.refusal([], [required, any, Self.inhibitAnyPolicy(0)], [gold]) == nil)
        let inhibited = [required, gold, Self.inhibitAnyPolicy(0)]
        #expect(try await Self.refusal([], inhibited, [any]) == .invalidCertificatePolicy)
        #expect(try await Self.refusal([], [required, gold, Self.inhibitAnyPolicy(1)], [any], [gold]) == nil)
        #expect(
            try await Self.refusal([], [required, gold, Self.inhibitAnyPolicy(1)], [gold], [any])
                == .invalidCertificatePolicy
        )
    }

    @Test
    func mappedPolicyIsExpectedInItsPlace() async throws {
        let required = Self.constraints(explicit: 0)
        let gold = Self.policies(Self.gold)
        let silver = Self.policies(Self.silver)
        let mapped = [required, gold, Self.mapping(Self.gold, to: Self.silver)]
        #expect(try await Self.refusal([], mapped, [silver]) == nil)
        #expect(try await Self.refusal([], mapped, [gold]) == .invalidCertificatePolicy)
        // A policy that the issuer does not have maps to nothing.
        let foreign = [required, silver, Self.mapping(Self.gold, to: Self.silver)]
        #expect(try await Self.refusal([], foreign, [silver]) == nil)
        #expect(try await Self.refusal([], foreign, [gold]) == .invalidCertificatePolicy)
        // Below an inhibition the mapped policy is lost.
        let inhibited = Self.constraints(explicit: 0, mapping: 0)
        let mapping = Self.mapping(Self.gold, to: Self.silver)
        #expect(try await Self.refusal([], [inhibited, gold], [gold, mapping], [silver]) == .invalidCertificatePolicy)
        #expect(try await Self.refusal([], [inhibited, gold], [gold, mapping], [gold]) == .invalidCertificatePolicy)
        #expect(try await Self.refusal([], [required, gold], [gold, mapping], [silver]) == nil)
    }

    @Test
    func anyPolicyIsNotMapped() async throws {
        #expect(try await Self.refusal([], [Self.mapping(Self.gold, to: Self.any)], []) == .invalidCertificatePolicy)
        #expect(try await Self.refusal([], [Self.mapping(Self.any, to: Self.gold)], []) == .invalidCertificatePolicy)
    }

    @Test
    func malformedConstraintsAreRefused() async throws {
        for value in [
            DER.sequence(), DER.sequence(DER.element(0x80, [0xff])), DER.sequence(DER.element(0x80, [1, 0, 0, 0, 0])),
            DER.sequence(DER.element(0x82, [0])), DER.integer(0),
        ] {
            for isCritical in [true, false] {
                let broken = CertificateExtension(id: .policyConstraints, isCritical: isCritical, value: value)
                #expect(try await Self.refusal([], [broken], []) == .malformedCertificate)
            }
        }
        let negative = CertificateExtension(id: .inhibitAnyPolicy, isCritical: true, value: DER.integer(0xff))
        #expect(try await Self.refusal([], [negative], []) == .malformedCertificate)
    }

    /// RFC 5280, 4.2.1.4: a critical extension with a qualifier that cannot be interpreted refuses the certificate.
    @Test
    func unknownQualifierRefusesWhereTheExtensionIsCritical() async throws {
        let gold = DER.element(0x06, Array(try #require(Self.gold).encodedBytes))
        func policies(qualifier: UInt8, isCritical: Bool) -> CertificateExtension {
            let kind = DER.element(0x06, [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x02, qualifier])
            let text = DER.element(0x16, Array("https://example.com/cps".utf8))
            let qualifiers = DER.sequence(DER.sequence(kind, text))
            return CertificateExtension(
                id: .certificatePolicies,
                isCritical: isCritical,
                value: DER.sequence(DER.sequence(gold, qualifiers))
            )
        }
        #expect(try await Self.refusal([], [policies(qualifier: 1, isCritical: true)], []) == nil)
        #expect(try await Self.refusal([], [policies(qualifier: 2, isCritical: true)], []) == nil)
        #expect(try await Self.refusal([], [policies(qualifier: 3, isCritical: false)], []) == nil)
        #expect(
            try await Self.refusal([], [policies(qualifier: 3, isCritical: true)], []) == .unknownCriticalExtension
        )
    }
}
