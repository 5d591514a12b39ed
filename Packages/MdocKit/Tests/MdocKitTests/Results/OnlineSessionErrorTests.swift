import CBORKit
import CryptoCore
import MdocKit
import MdocProximity
import MdocResults
import Testing

/// Each way in which an online session brings no response, with the name that a relying party knows.
@Suite struct OnlineSessionErrorTests {
    private let utopia: Utopia
    private let request = MobileCredentialRequest(docType: .mDL, namespaces: [.mDL: ["family_name": false]])

    init() async throws {
        utopia = try await Utopia()
    }

    private func result(
        _ response: () async throws -> DeviceResponse
    ) async throws -> OnlinePresentationSessionResult {
        await utopia.verifier().result(
            to: try DeviceRequest([request]),
            sessionTranscript: utopia.transcript,
            challenge: "c",
            response: response
        )
    }

    @Test func aResponseForTheChallenge() async throws {
        let licence = try await utopia.licence()
        let result = try await result { try await utopia.present(licence) }
        #expect(try result.response(toChallenge: "c").verifiedCredentials.count == 1)
        for challenge in ["d", "", "C"] {
            let error = #expect(throws: PresentationSessionError.self) { try result.response(toChallenge: challenge) }
            #expect(error?.type == .verificationError)
        }
        let unchallenged = OnlinePresentationSessionResult(challenge: nil, outcome: result.outcome)
        #expect(throws: PresentationSessionError.self) { try unchallenged.response(toChallenge: "") }
    }

    /// The model of an app's view, which is not Sendable in the closure that it passes.
    @MainActor private final class Model {
        private(set) var steps: [String] = []

        func result(
            _ verifier: MdocVerifier,
            _ request: DeviceRequest,
            _ transcript: SessionTranscript
        ) async -> OnlinePresentationSessionResult {
            await verifier.result(to: request, sessionTranscript: transcript) {
                steps.append("asking")
                MainActor.assertIsolated()
                throw CancellationError()
            }
        }
    }

    @Test func asksOnTheCallersActor() async throws {
        let model = Model()
        let result = try await model.result(utopia.verifier(), DeviceRequest([request]), utopia.transcript)
        #expect(result.error?.type == .sessionAborted)
        #expect(await model.steps == ["asking"])
    }

    @Test func theErrorOfTheSessionIsThrownForItsChallenge() async throws {
        let result = try await result { throw CancellationError() }
        let error = #expect(throws: PresentationSessionError.self) { try result.response(toChallenge: "c") }
        #expect(error?.type == .sessionAborted)
        let other = #expect(throws: PresentationSessionError.self) { try result.response(toChallenge: "d") }
        #expect(other?.type == .verificationError)
    }

    /// A wallet that visits the website, and answers with a message of the test's own.
    private func website(
        domain: String = "reader.example",
        _ answer: @Sendable (inout DeviceSessionMachine) throws -> [UInt8]
    ) async throws -> PresentationSessionError? {
        let website = try EngagedWebsite(uri: "https://reader.example/1", domain: "reader.example")
        let visitor = try WebsiteVisitor(link: website.engagement.link, domain: domain)
        let first = visitor.message
        var deviceRequest: DeviceRequest?
        var session: EngagedWebsite.Session?
        let refusal: (any Error)?
        do {
            session = try await website.receive(first)
            refusal = nil
        } catch {
            refusal = error
        }
        guard var reader = session.take()?.takeMachine() else {
            return try await result { throw refusal ?? CancellationError() }.error
        }
        let built = try DeviceRequest([request])
        deviceRequest = built
        let (_, message) = try reader.request(built)
        let body: [UInt8]
        switch await visitor.receive(message) {
        case .established(var wallet, _): body = try answer(&wallet)
        case .ended(let termination, _): throw termination
        }
        var outcome: Result<DeviceResponse, any Error> = .failure(CancellationError())
        for effect in reader.receive(body) {
            switch effect {
            case .response(let bytes, _): outcome = Result { try DeviceResponse(decoding: bytes) }
            case .ended(let termination): if case .failure = outcome { outcome = .failure(termination) }
            case .send, .discardedResponse: continue
            }
        }
        #expect(deviceRequest != nil)
        return try await result { try outcome.get() }.error
    }

    @Test func theUserLeavesTheWebsite() async throws {
        let error = try await website { _ in SessionData(status: .termination).encoded() }
        #expect(error == .init(.sessionAborted, message: "The wallet ended the session"))
    }

    @Test func unreadableAnswersToTheWebsite() async throws {
        for message: [UInt8] in [[0], SessionData(status: .encryptionError).encoded()] {
            #expect(try await website { _ in message }?.type == .responseError)
        }
        #expect(try await website { try $0.message(with: [0xff]) }?.type == .responseError)
    }

    @Test func aCancellationInTheResponse() async throws {
        let cancelled = CBOR.map(["version": "1.0", "status": 20]).encoded()
        #expect(try await website { try $0.message(with: cancelled, terminating: true) }?.type == .sessionAborted)
    }

    @Test func aWalletThatWasCalledFromElsewhere() async throws {
        let error = try await website(domain: "other.example") { _ in [] }
        #expect(error?.type == .verificationError)
    }

    @Test func onlyZeroKnowledgeProofs() async throws {
        let data: CBOR = [
            "docType": .text(DocType.mDL.text), "zkSystemId": "1", "timestamp": .tagged(1004, "2026-05-28"),
        ]
        let proof: CBOR = ["documentData": .tagged(24, .bytes(data.encoded())), "proof": .bytes([1])]
        let response: CBOR = ["version": "1.0", "zkDocuments": [proof], "status": 0]
        let result = try await result { try DeviceResponse(decoding: response.encoded()) }
        #expect(result.error?.type == .verificationError)
    }

    /// Only an error that no layer of a session raises has no name.
    @Test func errorsOfOtherTypes() async throws {
        struct Other: Error {}
        #expect(try await result { throw Other() }.error == .init(.unknown))
        let codes: [MdocError.Code] = [
            .malformedCBOR, .missingMember, .unexpectedType, .invalidValue, .limitExceeded, .unsupportedVersion,
            .deviation, .malformedCOSE, .responseStatus, .decryptionFailed, .sessionEnded, .transportFailed,
            .handoverRefused, .malformedHandover, .malformedNDEF, .malformedAPDU, .unexpectedStatusWord,
            .malformedBLEData, .unexpectedMessage, .originMismatch, .keyMismatch, .unsupportedKey,
        ]
        for code in codes {
            #expect(try await result { throw MdocError(code, "m") }.error?.type != .unknown, "\(code)")
        }
        let kinds: [(any Error, PresentationSessionError.Kind)] = [
            (MdocError(.transportFailed, "m"), .walletUnavailable),
            (MdocError(.handoverRefused, "m"), .walletUnavailable),
            (MdocError(.sessionEnded, "m"), .sessionAborted), (MdocError(.originMismatch, "m"), .verificationError),
            (MdocError(.decryptionFailed, "m"), .responseError),
            (PresentationSessionError(.walletUnavailable), .walletUnavailable),
        ]
        for (error, kind) in kinds { #expect(try await result { throw error }.error?.type == kind) }
    }
}
