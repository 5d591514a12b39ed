import CBORKit
import CryptoCore
import MdocKit
import MdocProximity
import MdocResults
import TestSupport
import Testing

/// Each way in which a session in proximity brings no response, with the name that a relying party knows.
@Suite struct ProximitySessionErrorTests {
    private typealias Kind = PresentationSessionError.Kind

    /// The name of the error of a request, while the wallet does something.
    private func kind(
        of parties: ProximityParties,
        timeout: Duration? = nil,
        _ wallet: () async throws -> Void
    ) async throws -> PresentationSessionError.Kind? {
        let session = parties.session
        let asking = Task { () -> PresentationSessionError? in
            do {
                _ = try await session.requestMobileCredentials(request: [ProximityParties.request], timeout: timeout)
                return nil
            } catch let error as PresentationSessionError {
                return error
            }
        }
        try await wallet()
        return try await asking.value?.type
    }

    @Test func theWalletEndsTheSession() async throws {
        let parties = try await ProximityParties.meet()
        let wallet = try await parties.wallet()
        let kind = try await kind(of: parties) {
            _ = try await wallet.nextRequest()
            await wallet.terminate()
        }
        #expect(kind == .sessionAborted)
        #expect(try await self.kind(of: parties) {} == .sessionAborted)
    }

    @Test func theReaderEndsTheSession() async throws {
        let parties = try await ProximityParties.meet()
        let wallet = try await parties.wallet()
        let kind = try await kind(of: parties) {
            _ = try await wallet.nextRequest()
            await parties.session.terminate()
        }
        #expect(kind == .sessionAborted)
    }

    /// Some wallets put the status of the session into their response.
    @Test(
        arguments: [
            (10, .responseError), (11, .responseError), (12, .responseError), (20, .sessionAborted),
            (99, .responseError),
        ] as [(UInt64, PresentationSessionError.Kind)]
    )
    func statusesOfTheResponse(_ status: UInt64, _ expected: PresentationSessionError.Kind) async throws {
        let parties = try await ProximityParties.meet()
        let kind = try await kind(of: parties) {
            let response = CBOR.map(["version": "1.0", "status": .unsigned(status)]).encoded()
            try await parties.answer { [try $0.message(with: response)] }
        }
        #expect(kind == expected)
        #expect(await parties.session.termination == nil)
    }

    @Test(arguments: [[0xff], [0x80], [], [0xa0]] as [[UInt8]])
    func unreadableResponses(_ response: [UInt8]) async throws {
        let parties = try await ProximityParties.meet()
        let kind = try await kind(of: parties) {
            try await parties.answer { [try $0.message(with: response)] }
        }
        #expect(kind == .responseError)
    }

    /// 12.2.4, table 15: what is not CBOR ends the session with status 11, another structure does not.
    @Test(
        arguments: [
            ([0xff], "thisSide 11", true), ([], "thisSide 11", true), ([0xa0, 0x00], "thisSide 11", true),
            ([0x80], nil, false), ([0xa0], nil, false),
        ] as [([UInt8], String?, Bool)]
    )
    func tellsTheWalletOfAResponseThatIsNoCBOR(
        _ response: [UInt8],
        _ termination: String?,
        isTold: Bool
    ) async throws {
        let parties = try await ProximityParties.meet()
        _ = try await kind(of: parties) {
            try await parties.answer { [try $0.message(with: response)] }
        }
        #expect(await parties.session.termination?.summary == termination)
        guard isTold else { return }
        let told = SessionData(status: .cborDecodingError).encoded()
        #expect(try await parties.nextMessage() == told)
        #expect(try await kind(of: parties) {} == .responseError)
    }

    /// The wallet ended the session in the same message; there is nobody left to tell.
    @Test func aLastResponseThatIsNoCBOR() async throws {
        let parties = try await ProximityParties.meet()
        let kind = try await kind(of: parties) {
            try await parties.answer { [try $0.message(with: [0xff], terminating: true)] }
        }
        #expect(kind == .responseError)
        #expect(await parties.session.termination?.summary == "otherSide 20")
    }

    @Test(
        arguments: [
            [0x00], SessionData(data: [1, 2, 3]).encoded(), SessionData(status: .encryptionError).encoded(),
            SessionData(status: .cborDecodingError).encoded(), SessionData().encoded(),
        ] as [[UInt8]]
    )
    func unreadableMessages(_ message: [UInt8]) async throws {
        let parties = try await ProximityParties.meet()
        let kind = try await kind(of: parties) { try await parties.answer { _ in [message] } }
        #expect(kind == .responseError)
        #expect(await parties.session.termination != nil)
    }

    /// A second response to one request is an error of the wallet, although this side ends the session for it.
    @Test func unrequestedResponses() async throws {
        let parties = try await ProximityParties.meet()
        let empty = [UInt8](try DeviceResponse(documents: []).encodedBytes)
        let first = try await kind(of: parties) {
            try await parties.answerInCipher { cipher in
                [
                    SessionData(data: try cipher.encrypt(empty)).encoded(),
                    SessionData(data: try cipher.encrypt(empty)).encoded(),
                ]
            }
        }
        #expect(first == nil)
        for await _ in parties.session.events {}
        #expect(await parties.session.termination?.summary == "thisSide 20")
        #expect(try await kind(of: parties) {} == .responseError)
    }

    @Test func noResponseInTime() async throws {
        let parties = try await ProximityParties.meet()
        let wallet = try await parties.wallet()
        for (timeout, duration) in [(nil, Duration.seconds(300)), (Duration.seconds(5), .seconds(5))] {
            let kind = try await kind(of: parties, timeout: timeout) {
                _ = try await wallet.nextRequest()
                await parties.clock.waitForSleeper(duration)
                parties.clock.advance(by: duration)
            }
            #expect(kind == .timeoutError)
            #expect(await parties.session.termination == nil)
        }
        async let asking = parties.session.requestMobileCredentials(request: [ProximityParties.request])
        let received = try #require(try await wallet.nextRequest())
        // The late responses to the first two requests.
        try await wallet.respond(DeviceResponse(documents: []))
        try await wallet.respond(DeviceResponse(documents: []))
        try await wallet.respond(parties.response(to: received))
        #expect(try await asking.verifiedCredentials.count == 1)
    }

    @Test func theChannelIsLost() async throws {
        let parties = try await ProximityParties.meet()
        let kind = try await kind(of: parties) {
            try await parties.answer { _ in [] }
            await parties.hangUp()
        }
        #expect(kind == .walletUnavailable)
    }

    @Test func nothingThatCanBeVerified() async throws {
        let parties = try await ProximityParties.meet()
        let encrypted: CBOR = ["enc": .bytes([1]), "cipherText": .bytes([2]), "docRequestID": 0]
        let response: CBOR = ["version": "1.0", "encryptedDocuments": [encrypted], "status": 0]
        let kind = try await kind(of: parties) {
            try await parties.answer { [try $0.message(with: response.encoded())] }
        }
        #expect(kind == .verificationError)
    }

    @Test func noWalletThere() async throws {
        let engagement = try EngagedDevice(retrievalMethods: [.nfc(NFCExamples.options(255, 256))]).engagement.uri
        let verifier = MobileCredentialVerifier(trustAnchors: [], connector: SocketMdocConnector())
        let error = await #expect(throws: PresentationSessionError.self) {
            _ = try await verifier.createProximityPresentationSession(encodedDeviceEngagementString: engagement)
        }
        #expect(error?.type == .walletUnavailable)
        #expect((error?.cause as? MdocError)?.code == .transportFailed)
    }

    /// A request that cannot be sent is the caller's error, and no failure of the session.
    @Test func requestsThatCannotBeSent() async throws {
        let parties = try await ProximityParties.meet()
        let wallet = try await parties.wallet()
        let empty = await #expect(throws: MdocError.self) {
            try await parties.session.requestMobileCredentials(request: [])
        }
        #expect(empty?.code == .invalidValue)
        let first = Task { try await parties.session.requestMobileCredentials(request: [ProximityParties.request]) }
        _ = try await wallet.nextRequest()
        let second = await #expect(throws: MdocError.self) {
            try await parties.session.requestMobileCredentials(request: [ProximityParties.request])
        }
        #expect(second?.code == .requestPending)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(await parties.session.termination == nil)
    }
}
