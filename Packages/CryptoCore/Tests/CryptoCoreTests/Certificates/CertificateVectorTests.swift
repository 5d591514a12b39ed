import CryptoCore
import Foundation
import TestSupport
import Testing

/// Certificates in the vector sets of others.
@Suite
struct CertificateVectorTests {
    private static let mdoc = VectorSet("mdoc")
    private static let openID4VP = VectorSet("oid4vp")

    /// Every certificate of a set's file: hexadecimal text under a name that ends in `certificate`.
    private static func certificates(in value: Any) -> [[UInt8]] {
        if let object = value as? [String: Any] {
            return object.sorted { $0.key < $1.key }.flatMap { key, member -> [[UInt8]] in
                guard key.lowercased().hasSuffix("certificate"), let text = member as? String else {
                    return certificates(in: member)
                }
                return [UInt8](hex: text).map { [$0] } ?? []
            }
        }
        return (value as? [Any])?.flatMap(certificates) ?? []
    }

    @Test(.enabled(if: mdoc.isAvailable, VectorSet.absence), arguments: mdoc.files(withExtension: "json"))
    func mdocCertificates(_ file: VectorFile) throws {
        let found = Self.certificates(in: try JSONSerialization.jsonObject(with: Data(file.bytes())))
        let certificates = try found.map { try Certificate(der: $0) }
        let roots = certificates.filter { $0.basicConstraints?.isCertificateAuthority == true }
        for root in roots {
            #expect(try root.isSigned(by: root.publicKey()))
        }
        var policy = CertificatePathPolicy()
        policy.nameComparison = .bytes
        let validator = CertificatePathValidator(anchors: roots, policy: policy)
        for leaf in certificates where !roots.contains(leaf) {
            guard roots.contains(where: { $0.subject == leaf.issuer }) else { continue }
            #expect(validator.validate([leaf], at: leaf.notValidBefore).refusal == nil)
            for change in stride(from: 0, to: leaf.derBytes.count * 8, by: 7) {
                let changed = [leaf.derBytes.flipping(change)[...]]
                #expect(validator.validate(encodedChain: changed, at: leaf.notValidBefore).verified == nil)
            }
        }
        file.report(ran: certificates.count)
    }

    /// Every certificate is read; the chain of every case that a wallet must accept is valid; and libcrypto comes to the
    /// same verdict over the chain of every case.
    @Test(.enabled(if: openID4VP.isAvailable, VectorSet.absence), arguments: openID4VP.files(withExtension: "json"))
    func requestCertificates(_ file: VectorFile) async throws {
        let object = try JSONSerialization.jsonObject(with: Data(file.bytes())) as? [String: Any] ?? [:]
        let named = (object["certificates"] as? [String: String] ?? [:]).mapValues { Data(base64Encoded: $0) ?? Data() }
        for (name, der) in named { #expect(throws: Never.self, "\(name)") { try Certificate(der: der) } }
        var ran = named.count
        for item in object["cases"] as? [[String: Any]] ?? [] where !named.isEmpty {
            guard let chain = Self.chain(of: item), let context = item["context"] as? [String: Any] else { continue }
            let anchors = try (context["trust_anchors"] as? [String] ?? []).map { name in
                try Certificate(der: try #require(named[name]))
            }
            let time = Date(timeIntervalSince1970: try #require(context["now"] as? Double))
            let validator = CertificatePathValidator(anchors: anchors, policy: .requestSigner)
            let result = validator.validate(encodedChain: chain, at: time)
            let accept = (item["expect"] as? [String: Any])?["accept"] as? Bool ?? false
            let id = item["id"] as? String ?? ""
            if accept { #expect(result.refusal == nil, "\(id)") }
            try await Self.compare(result, chain, anchors, at: time, id)
            ran += 1
        }
        file.report(ran: ran)
    }

    /// Others know no demand on the leaf's uses and profile: where only those refuse, there is nothing to compare.
    private static func compare(
        _ result: Verification<ValidatedCertificateChain>,
        _ chain: [ArraySlice<UInt8>],
        _ anchors: [Certificate],
        at time: Date,
        _ id: String
    ) async throws {
        let ours: [Check] = [.leafUsage, .certificateProfile, .certificateEncoding]
        guard !chain.isEmpty, !ours.contains(where: { $0 == result.refusal?.check }) else { return }
        let encodings = (chain.map { Array($0) }, anchors.map(\.derBytes))
        let swift = try await SecondOpinions.swiftCertificatesAccepts(
            chain: encodings.0,
            anchors: encodings.1,
            at: time
        )
        #expect(swift == (result.verified != nil), "swift-certificates: \(id)")
        #if OpenSSL
        let libcrypto = SecondOpinions.libcryptoAccepts(chain: encodings.0, anchors: encodings.1, at: time)
        #expect(libcrypto == (result.verified != nil), "libcrypto: \(id)")
        #endif
    }

    /// The `x5c` of the first token in a case that has one.
    private static func chain(of item: [String: Any]) -> [ArraySlice<UInt8>]? {
        strings(in: item).lazy.compactMap { text -> [ArraySlice<UInt8>]? in
            let token = text.split(separator: "=").last ?? text[...]
            guard let header = token.split(separator: ".").first, token.split(separator: ".").count >= 2 else {
                return nil
            }
            var base64 = String(header).replacing("-", with: "+").replacing("_", with: "/")
            base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
            guard let data = Data(base64Encoded: base64),
                let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
                let chain = object["x5c"] as? [String]
            else { return nil }
            return chain.map { [UInt8](Data(base64Encoded: $0) ?? Data())[...] }
        }.first
    }

    private static func strings(in value: Any) -> [String] {
        switch value {
        case let text as String: text.split(separator: "&").map { String($0) }
        case let object as [String: Any]: object.sorted { $0.key < $1.key }.flatMap { strings(in: $0.value) }
        case let array as [Any]: array.flatMap(strings)
        default: []
        }
    }
}
