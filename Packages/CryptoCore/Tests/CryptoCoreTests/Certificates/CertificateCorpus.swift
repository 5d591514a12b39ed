import CryptoCore
import Foundation

/// Good and bad chains with keys of one kind, each with what a validation must come to.
struct CertificateCorpus {
    struct Case: Sendable {
        let name: String
        let chain: [Certificate]
        let anchors: [Certificate]
        let time: Date
        /// Nil for a valid chain.
        let reason: Reason?
        /// Indicates whether swift-certificates comes to the other verdict.
        var swiftCertificatesDiffers = false
    }

    let start: Date
    let noon: Date
    let long: ClosedRange<Date>
    let short: ClosedRange<Date>
    let root: CertificateAuthority
    let intermediate: CertificateAuthority
    private let kind: CertificateKeyKind

    init(_ kind: CertificateKeyKind) async throws {
        self.kind = kind
        start = try Date(iso8601: "2026-01-01T00:00:00Z")
        noon = start.addingTimeInterval(43_200)
        long = start...start.addingTimeInterval(1000 * 86_400)
        short = start.addingTimeInterval(3600)...start.addingTimeInterval(86_400)
        root = try await .root(
            subject: DistinguishedName(countryName: "UT", commonName: "Corpus root"),
            signer: kind.signer(0),
            validity: long
        )
        intermediate = try await root.subordinate(
            subject: DistinguishedName(countryName: "UT", commonName: "Corpus intermediate"),
            signer: kind.signer(1),
            validity: long,
            pathLength: 0
        )
    }

    func leaf(
        by authority: CertificateAuthority,
        validity: ClosedRange<Date>? = nil,
        dns: String = "good.example",
        usage: KeyUsage = .digitalSignature,
        serialNumber: [UInt8]? = nil,
        extensions: [CertificateExtension] = []
    ) async throws -> Certificate {
        var builder = try CertificateBuilder(
            subject: DistinguishedName(countryName: "UT", commonName: "Corpus leaf"),
            publicKey: kind.signer(0).publicKey,
            validity: validity ?? long,
            extensions: [.keyUsage(usage), .subjectAlternativeName([.dns(dns)])] + extensions
        )
        if let serialNumber { builder.serialNumber = serialNumber }
        return try await builder.issued(by: authority)
    }

    /// An authority whose certificate has the given content.
    func authority(
        by issuer: CertificateAuthority? = nil,
        name: String = "Corpus authority",
        validity: ClosedRange<Date>? = nil,
        extensions: [CertificateExtension]
    ) async throws -> CertificateAuthority {
        let signer = try kind.signer(1)
        let builder = CertificateBuilder(
            subject: try DistinguishedName(countryName: "UT", commonName: name),
            publicKey: signer.publicKey,
            validity: validity ?? long,
            extensions: extensions
        )
        let certificate =
            if let issuer { try await builder.issued(by: issuer) } else { try await builder.selfSigned(by: signer) }
        return try CertificateAuthority(certificate: certificate, signer: signer)
    }

    func valid() async throws -> [Case] {
        let constrained = try await authority(
            by: root,
            extensions: [
                .certificateAuthority(pathLength: nil), .keyUsage(.keyCertSign),
                .nameConstraints(permitted: [.dns("good.example")], excluded: [.dns("bad.good.example")]),
            ]
        )
        let direct = try await leaf(by: root)
        let below = try await leaf(by: intermediate)
        let exact = try await authority(
            extensions: [.certificateAuthority(pathLength: 1), .keyUsage([.keyCertSign])]
        )
        let underExact = try await exact.subordinate(
            subject: DistinguishedName(commonName: "one below"),
            signer: kind.signer(0),
            validity: long
        )
        return [
            make("direct", [direct]),
            make("below an intermediate", [below, intermediate.certificate]),
            make("with the root", [below, intermediate.certificate, root.certificate]),
            make("two anchors", [direct], anchors: [exact.certificate, root.certificate]),
            make("within constraints", [try await leaf(by: constrained), constrained.certificate]),
            make(
                "exact path length",
                [try await leaf(by: underExact), underExact.certificate],
                anchors: [exact.certificate]
            ),
            try await criticalPurposes(),
        ]
    }

    /// The policy of swift-certificates does not process extKeyUsage, so that it must not be critical there.
    private func criticalPurposes() async throws -> Case {
        let purposes = CertificateExtension.extendedKeyUsage([.serverAuthentication], isCritical: true)
        var item = make("critical purposes", [try await leaf(by: root, extensions: [purposes])])
        item.swiftCertificatesDiffers = true
        return item
    }

    func invalid() async throws -> [Case] {
        try await timing() + trust() + authorities() + extensions()
    }

    private func timing() async throws -> [Case] {
        let authority: [CertificateExtension] = [.certificateAuthority(pathLength: nil), .keyUsage(.keyCertSign)]
        let oldRoot = try await self.authority(validity: short, extensions: authority)
        let oldIntermediate = try await self.authority(by: root, validity: short, extensions: authority)
        let brief = try await leaf(by: root, validity: short)
        let late = start.addingTimeInterval(2 * 86_400)
        let underOldIntermediate = [try await leaf(by: oldIntermediate), oldIntermediate.certificate]
        return [
            make("leaf expired", [brief], at: late, .expired),
            make("leaf not yet valid", [brief], at: start, .notYetValid),
            make("intermediate expired", underOldIntermediate, at: late, .expired),
            make("root expired", [try await leaf(by: oldRoot)], anchors: [oldRoot.certificate], at: late, .expired),
            make(
                "root not yet valid",
                [try await leaf(by: oldRoot)],
                anchors: [oldRoot.certificate],
                at: start,
                .notYetValid
            ),
        ]
    }

    private func trust() async throws -> [Case] {
        let authority: [CertificateExtension] = [.certificateAuthority(pathLength: nil), .keyUsage(.keyCertSign)]
        let other = try await self.authority(extensions: authority)
        let namesake = try await self.authority(name: "Corpus root", extensions: authority)
        let identifier = root.certificate.subjectKeyIdentifier ?? []
        let impostor = try await self.authority(
            name: "Corpus root",
            extensions: authority + [.subjectKeyIdentifier(identifier)]
        )
        let direct = try await leaf(by: root)
        var tampered = direct.derBytes
        let name = Array("Corpus leaf".utf8)
        let place = tampered.indices.first { tampered[$0...].starts(with: name) }
        if let place { tampered[place] = UInt8(ascii: "c") }
        return [
            make("unknown root", [direct], anchors: [other.certificate], .noTrustAnchor),
            make("no anchors", [direct], anchors: [], .noTrustAnchor),
            make("root of the same name with another key", [direct], anchors: [namesake.certificate], .noTrustAnchor),
            make("root of the same name and identifier", [try await leaf(by: impostor)], .invalidSignature),
            make("changed content", [try Certificate(der: tampered)], .invalidSignature),
            make("intermediate left out", [try await leaf(by: intermediate)], .noTrustAnchor),
            make("another intermediate", [try await leaf(by: other), intermediate.certificate], .issuerNameMismatch),
        ]
    }

    private func authorities() async throws -> [Case] {
        let noAuthority = try await authority(by: root, extensions: [.keyUsage([.keyCertSign, .digitalSignature])])
        let noCertificates = try await authority(
            by: root,
            extensions: [.certificateAuthority(pathLength: nil), .keyUsage(.crlSign)]
        )
        // The policy of swift-certificates does not look for keyCertSign.
        var notForCertificates = make(
            "issuer that may not sign certificates",
            [try await leaf(by: noCertificates), noCertificates.certificate],
            .certificateSigningNotAllowed
        )
        notForCertificates.swiftCertificatesDiffers = true
        let below = try await intermediate.subordinate(
            subject: DistinguishedName(commonName: "too deep"),
            signer: kind.signer(0),
            validity: long
        )
        return [
            make(
                "issuer without basicConstraints",
                [try await leaf(by: noAuthority), noAuthority.certificate],
                .notACertificateAuthority
            ),
            notForCertificates,
            make(
                "path too long",
                [try await leaf(by: below), below.certificate, intermediate.certificate],
                .pathLengthExceeded
            ),
        ]
    }

    private func extensions() async throws -> [Case] {
        let unknown = CertificateExtension(
            id: .freshestCRL,
            isCritical: true,
            value: DER.sequence()
        )
        let authority: [CertificateExtension] = [.certificateAuthority(pathLength: nil), .keyUsage(.keyCertSign)]
        let odd = try await self.authority(by: root, extensions: authority + [unknown])
        let constrained = try await self.authority(
            by: root,
            extensions: authority + [
                .nameConstraints(permitted: [.dns("good.example")], excluded: [.dns("bad.good.example")])
            ]
        )
        func under(_ dns: String) async throws -> [Certificate] {
            [try await leaf(by: constrained, dns: dns), constrained.certificate]
        }
        return [
            make(
                "unknown critical extension",
                [try await leaf(by: root, extensions: [unknown])],
                .unknownCriticalExtension
            ),
            make(
                "unknown critical extension above",
                [try await leaf(by: odd), odd.certificate],
                .unknownCriticalExtension
            ),
            make("name not permitted", try await under("evil.example"), .nameConstraintViolated),
            make("name excluded", try await under("bad.good.example"), .nameConstraintViolated),
        ]
    }

    private func make(
        _ name: String,
        _ chain: [Certificate],
        anchors: [Certificate]? = nil,
        at time: Date? = nil,
        _ reason: Reason? = nil
    ) -> Case {
        Case(name: name, chain: chain, anchors: anchors ?? [root.certificate], time: time ?? noon, reason: reason)
    }
}
