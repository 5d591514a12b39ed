import CBORKit
import CredentialTesting
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import MdocKit
import OID4VPVerifier
import Testing

/// Mdocs with a MAC of the device, whose key is agreed on with the verifier's key for the response.
struct DeviceMacTests {
    private let scene: Scene
    private let device: PrivateKey

    init() async throws {
        scene = try await Scene()
        device = try PrivateKey.generate(.p256)
    }

    /// A document with a MAC for a verifier's key.
    private func presented(_ request: CreatedRequest, for readerKey: PublicKey) async throws -> [QueryID: JSONValue] {
        let validity = ValidityInfo(signed: Scene.now, validFrom: Scene.now, validUntil: Scene.now + 86_400)
        var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: device.publicKey, validityInfo: validity)
        try builder.add("Mustermann", as: "family_name", in: .mDL)
        let issued = try await builder.sign(
            with: SoftwareSigner(scene.pki.documentSignerKey),
            x5chain: [scene.pki.documentSigner]
        )
        let prepared = try PreparedMdocDocument(issued, sessionTranscript: Scene.transcript(request))
        let document = try await prepared.authenticated(with: device, readerKey: readerKey)
        let response = try DeviceResponse(documents: [document])
        return [request.expectation.queryIDs[0]: .string(Base64URL.encode(response.encodedBytes))]
    }

    private func request(_ mode: ResponseMode = .directPostJWT) throws -> CreatedRequest {
        try scene.request(try Scene.query([.mdoc]), mode: mode)
    }

    @Test(arguments: [ResponseMode.directPostJWT, .digitalCredentialsJWT])
    func verifiesAMACForTheKeyOfTheResponse(_ mode: ResponseMode) async throws {
        let request = try request(mode)
        let key = try #require(try request.expectation.decryption?.key.privateKey())
        let verification = try await scene.verify(try await presented(request, for: key.publicKey), request)
        #expect(verification.refusal == nil, "\(verification.refusal?.description ?? "")")
    }

    @Test func refusesAMACForAnotherKey() async throws {
        let request = try request()
        let other = try PrivateKey.generate(.p256).publicKey
        let verification = try await scene.verify(try await presented(request, for: other), request)
        #expect(verification.refusal?.reason == .invalidHolderBinding)
    }

    /// A response in the clear has no key of the verifier, so that anybody could have made the MAC.
    @Test func refusesAMACInAResponseWithoutAKey() async throws {
        let request = try request(.directPost)
        let verification = try await scene.verify(
            try await presented(request, for: PrivateKey.generate(.p256).publicKey),
            request
        )
        #expect(verification.refusal?.reason == .invalidHolderBinding)
        #expect(verification.refusal?.message.contains("none of the reader's keys") == true)
    }

    @Test func refusesAMACWhereTheProfileDemandsASignature() async throws {
        let request = try request()
        let key = try #require(try request.expectation.decryption?.key.privateKey())
        var policy = PresentationPolicy()
        policy.profile = .haip
        let presentation = try await presented(request, for: key.publicKey)
        let verification = try await scene.verify(presentation, request, policy: policy)
        #expect(verification.refusal?.message.contains("haip.deviceSignature") == true)
    }
}
