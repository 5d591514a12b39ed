import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

/// Claims measured by the metadata of their type.
@Suite struct TypeMetadataPolicyTests {
    private static let broken: [(JSONValue, Reason)] = [
        (["path": ["given_name"], "sd": "never"], .claimNotConcealable),
        (["path": ["iss"], "sd": "always"], .claimMismatch),
        (["path": ["nationalities", nil], "sd": "never"], .claimNotConcealable),
        (["path": ["nationalities", 0], "sd": "never"], .claimNotConcealable),
        (["path": ["nationalities"], "sd": "always"], .claimMismatch),
        (["path": ["address", "country"], "sd": "always"], .claimMismatch),
        (["path": ["address", "locality"], "sd": "never"], .claimNotConcealable),
        (["path": ["degrees", nil, "type"], "sd": "always"], .claimMismatch),
        (["path": ["nobody"], "mandatory": true], .missingClaim),
        (["path": ["degrees", 2], "mandatory": true], .missingClaim),
        (["path": ["given_name", "x"]], .claimPathMismatch),
        (["path": ["address", nil]], .claimPathMismatch),
    ]

    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private func verification(
        _ claims: JSONValue?,
        of sdJWT: SDJWT? = nil,
        expectsAllDisclosures: Bool = false,
        isRequired: Bool = true
    ) async throws -> Verification<VerifiedSDJWT> {
        var documents: [ExactText: [UInt8]] = [:]
        if let claims {
            let document: JSONValue = ["vct": .string(Scene.credentialType), "claims": claims]
            documents[ExactText(Scene.credentialType)] = document.encoded()
        }
        let source = LocalTypeMetadata(documents)
        var policy = SDJWTVerificationPolicy.credential(algorithms: [.es256])
        policy.expectsAllDisclosures = expectsAllDisclosures
        let verifier = SDJWTVerifier(
            policy: policy,
            issuerKeys: KnownIssuerKeys(scene.issuer.publicKey),
            typeMetadata: isRequired ? .required(source) : .whenAvailable(source),
            clock: { [now = scene.now] in now }
        )
        let issued = try await scene.credential()
        return await verifier.verify(sdJWT ?? issued, expecting: .noKeyBinding)
    }

    @Test func metadataComeWithTheCredential() async throws {
        let verified = try await verification([["path": ["given_name"], "sd": "always", "mandatory": true]]).get()
        #expect(verified.typeMetadata?.claims.count == 1)
    }

    /// Short paths through a long array cost the product of both: 2000 visits for each claim here.
    @Test(arguments: [(100, true), (101, false)])
    func theClaimsOfATypeVisitSoManyValuesAtMost(count: Int, isWithinBounds: Bool) async throws {
        #expect(TypeMetadata.maximumVisits == 200_000)
        let elements = JSONValue.array(Array(repeating: [:], count: 999))
        let payload: JSONValue = ["vct": .string(Scene.credentialType), "a": elements]
        let sdJWT = try SDJWT(compact: try await assemble(payload, signer: scene.issuer))
        let claims = (0..<count).map { JSONValue.object(["path": ["a", nil, .string("\($0)")]]) }
        let verification = try await verification(.array(claims), of: sdJWT)
        if isWithinBounds {
            let verified = try verification.get()
            #expect(try verified.typeMetadata?.displayedClaims(of: verified.payload, for: []).isEmpty == true)
        } else {
            verification.expectRefusal(.typeMetadata, .limitExceeded)
        }
    }

    /// The search for digests that could hide a mandatory claim counts, too: 1002 visits more for each claim here.
    @Test(arguments: [(66, true), (67, false)])
    func theSearchForHiddenClaimsCounts(count: Int, isWithinBounds: Bool) async throws {
        let hidden: JSONValue = [salt, "x", 1]
        let elements = JSONValue.array([["_sd": [digest(hidden)]]] + Array(repeating: [:], count: 998))
        let payload: JSONValue = ["vct": .string(Scene.credentialType), "a": elements]
        let sdJWT = try SDJWT(compact: try await assemble(payload, signer: scene.issuer))
        let claims = (0..<count).map { number in
            JSONValue.object(["path": ["a", nil, .string("\(number)")], "mandatory": true])
        }
        let verification = try await verification(.array(claims), of: sdJWT)
        #expect((verification.refusal?.reason == .limitExceeded) == !isWithinBounds, "\(verification.checks)")
    }

    @Test(arguments: Self.broken)
    func claimsThatAreNotAsTheirTypeDemands(claim: JSONValue, reason: Reason) async throws {
        try await verification([claim], expectsAllDisclosures: true).expectRefusal(.typeMetadata, reason)
    }

    @Test(
        arguments: [
            ["path": ["given_name"], "sd": "always"], ["path": ["given_name"], "sd": "allowed"],
            ["path": ["given_name"]],
            ["path": ["iss"], "sd": "never"], ["path": ["nationalities", nil], "sd": "always"],
            ["path": ["address", "country"], "sd": "never", "mandatory": true], ["path": ["nobody"], "sd": "always"],
            ["path": ["degrees", nil, "university"], "sd": "always", "mandatory": true],
        ] as [JSONValue]
    )
    func claimsThatAre(claim: JSONValue) async throws {
        #expect(try await verification([claim], expectsAllDisclosures: true).refusal == nil)
    }

    /// A holder has all Disclosures, so that what looks withheld is a decoy, and no claim.
    @Test func decoysAreNoMandatoryClaims() async throws {
        let claim: JSONValue = ["path": ["nationalities", nil], "mandatory": true]
        let payload: JSONValue = [
            "vct": .string(Scene.credentialType), "nationalities": [["...": digest([salt, "decoy"])]],
        ]
        let sdJWT = try SDJWT(compact: try await assemble(payload, signer: scene.issuer))
        try await verification([claim], of: sdJWT, expectsAllDisclosures: true)
            .expectRefusal(.typeMetadata, .missingClaim)
        #expect(try await verification([claim], of: sdJWT).refusal == nil)
    }

    @Test func whatIsWithheldIsNotHeldAgainstTheIssuer() async throws {
        let nothing = try await scene.credential().presentation(disclosing: [])
        for path: JSONValue in [["given_name"], ["nobody"], ["address", "country"], ["degrees", 0, "university"]] {
            #expect(try await verification([["path": path, "mandatory": true]], of: nothing).refusal == nil)
        }
        for path: JSONValue in [["degrees", 2], ["degrees", 0, "nobody", "x"], ["nationalities", 2]] {
            let isHidden = path == ["degrees", 0, "nobody", "x"]
            let verification = try await verification([["path": path, "mandatory": true]], of: nothing)
            #expect((verification.refusal == nil) == isHidden)
        }
        for path: JSONValue in [["nationalities", 1], ["nationalities", nil]] {
            try await verification([["path": path, "sd": "never"]], of: nothing)
                .expectRefusal(.typeMetadata, .claimNotConcealable)
            #expect(try await verification([["path": path, "sd": "always"]], of: nothing).refusal == nil)
        }
    }

    /// A claim that is never selectively disclosable has no digest; what it is in may have one.
    @Test func aDigestHidesNoClaimThatIsNeverHidden() async throws {
        let payload: JSONValue = [
            "vct": .string(Scene.credentialType), "_sd": [digest([salt, "x", 1])],
            "o": ["_sd": [digest([salt, "y", 1])]],
            "l": [["_sd": [digest([salt, "z", 1])]]],
        ]
        let sdJWT = try SDJWT(compact: try await assemble(payload, signer: scene.issuer))
        for path: JSONValue in [["nobody"], ["o", "nobody"], ["l", nil, "nobody"]] {
            try await verification([["path": path, "mandatory": true, "sd": "never"]], of: sdJWT)
                .expectRefusal(.typeMetadata, .missingClaim)
            let concealable: JSONValue = [["path": path, "mandatory": true, "sd": "allowed"]]
            #expect(try await verification(concealable, of: sdJWT).refusal == nil)
        }
        for path: JSONValue in [["p", "nobody"], ["o", "p", "nobody"], ["l", 0, "p", "nobody"]] {
            let inside: JSONValue = [["path": path, "mandatory": true, "sd": "never"]]
            #expect(try await verification(inside, of: sdJWT).refusal == nil)
        }
    }

    @Test func aClaimIsMissedWhereNoDigestIsLeft() async throws {
        let text = try await assemble(
            ["vct": .string(Scene.credentialType), "o": ["a": 1]],
            signer: scene.issuer
        )
        let sdJWT = try SDJWT(compact: text)
        try await verification([["path": ["nobody"], "mandatory": true]], of: sdJWT)
            .expectRefusal(.typeMetadata, .missingClaim)
        try await verification([["path": ["o", "b"], "mandatory": true]], of: sdJWT)
            .expectRefusal(.typeMetadata, .missingClaim)
    }

    @Test func metadataThatCannotBeHad() async throws {
        try await verification(nil).expectRefusal(.typeMetadata, .typeMetadataNotFound)
        let tolerant = try await verification(nil, isRequired: false)
        #expect(tolerant.refusal == nil)
        #expect(tolerant.outcome(of: .typeMetadata)?.outcome != .passed)
        try await verification([["path": ["iss"], "sd": "always"]], isRequired: false)
            .expectRefusal(.typeMetadata, .claimMismatch)
        let plain = try SDJWT(
            compact: try await assemble(
                ["vct": .string(Scene.credentialType), "vct#integrity": 1],
                signer: scene.issuer
            )
        )
        try await verification([], of: plain).expectRefusal(.typeMetadata, .invalidClaim)
        let other = try SDJWT(
            compact: try await assemble(
                [
                    "vct": .string(Scene.credentialType),
                    "vct#integrity": "sha256-RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=",
                ],
                signer: scene.issuer
            )
        )
        try await verification([], of: other, isRequired: false).expectRefusal(.typeMetadata, .integrityMismatch)
    }
}
