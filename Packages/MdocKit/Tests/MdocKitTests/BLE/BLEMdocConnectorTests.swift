import CryptoCore
import Foundation
import JSONKit
import MdocKit
import MdocProximity
import MdocResults
import TestSupport
import Testing

/// Readers and wallets that find each other over the air.
@Suite struct BLEMdocConnectorTests {
    private static let request = MobileCredentialRequest(
        docType: .mDL,
        namespaces: [.mDL: ["family_name": false]]
    )

    private func options(_ modes: Set<BLEMode>, psm: UInt32? = nil) -> BLEOptions {
        BLEOptions(
            peripheralServerUUID: modes.contains(.peripheralServer) ? UUID() : nil,
            centralClientUUID: modes.contains(.centralClient) ? UUID() : nil,
            l2capPSM: psm
        )
    }

    private func device(_ options: BLEOptions) throws -> EngagedDevice {
        try EngagedDevice(retrievalMethods: [.ble(options)])
    }

    /// The result of a wallet and a reader that look for each other.
    private func meet(
        _ mode: BLEMode,
        over air: MemoryAir,
        psm: UInt32? = nil
    ) async throws -> (reader: Result<any MdocTransport, any Error>, wallet: Result<any MdocTransport, any Error>) {
        let options = options([mode], psm: psm)
        let engagement = try device(options).engagement
        let wallet = Task {
            try await air.openTransport(for: .device, mode: mode, options: options, engagement: engagement)
        }
        let reader = Task { try await BLEMdocConnector(radio: air).connect(to: engagement) }
        return (await reader.result, await wallet.result)
    }

    @Test(arguments: [[.peripheralServer], [.centralClient], [.peripheralServer, .centralClient]] as [Set<BLEMode>])
    func fromAQRCodeToVerifiedClaims(_ modes: Set<BLEMode>) async throws {
        let (air, options, utopia) = (MemoryAir(), options(modes), try await Utopia())
        let mode = try #require(options.preferredMode())
        let (key, signer) = (try PrivateKey.generate(.p256), try SoftwareSigner(utopia.deviceKey))
        let engagement = try DeviceEngagement(eDeviceKey: key.publicKey, retrievalMethods: [.ble(options)])
        let holder = Task {
            let transport = try await air.openTransport(
                for: .device,
                mode: mode,
                options: options,
                engagement: engagement
            )
            let device = try EngagedDevice(engagement: engagement, key: key)
            let session = await ProximityHolderSession(device, over: transport, clock: ManualClock())
            let credentials = [StoredMdoc(id: "licence", issuerSigned: try await utopia.licence())]
            while let received = try await session.nextRequest() {
                let match = RequestMatch(received.request, in: credentials, at: Utopia.now)
                let response = try await match.response(
                    to: match.fullConsent(),
                    sessionTranscript: received.sessionTranscript,
                    at: Utopia.now,
                    readerKeys: [received.eReaderKey]
                ) { _ in .signer(signer) }
                try await session.respond(response)
            }
        }
        let reader = MobileCredentialVerifier(
            verifier: utopia.verifier(),
            connector: BLEMdocConnector(radio: air),
            clock: ManualClock()
        )
        let session = try await reader.createProximityPresentationSession(
            encodedDeviceEngagementString: engagement.uri
        )
        let response = try await session.requestMobileCredentials(request: [Self.request])
        #expect(response.verifiedCredentials.first?.claims[.mDL]?["family_name"]?.value == "Doe")
        await session.terminate()
        try await holder.value
        #expect(air.modes == [mode])
    }

    @Test(arguments: BLEMode.allCases, 0...3)
    func connectionsThatAreLostBeforeTheStart(_ mode: BLEMode, _ lost: Int) async throws {
        let air = MemoryAir(losing: lost)
        let (reader, wallet) = try await meet(mode, over: air)
        #expect(air.modes.count == min(lost + 1, 3))
        for error in [reader.failure, wallet.failure] {
            #expect((error as? MdocError)?.code == (lost == 3 ? .transportFailed : nil))
        }
    }

    @Test(
        arguments: [
            (.centralClient, nil, true), (.peripheralServer, MemoryGATT.psm, true), (.peripheralServer, nil, false),
            // A channel that is not there: the characteristics are.
            (.peripheralServer, 0x99, false),
        ] as [(BLEMode, UInt32?, Bool)]
    )
    func overL2CAPWhereBothHaveIt(_ mode: BLEMode, _ psm: UInt32?, _ isL2CAP: Bool) async throws {
        let (reader, wallet) = try await meet(mode, over: MemoryAir(pipe: MemoryPipe(pieceLength: 20)), psm: psm)
        let ends = (try reader.get(), try wallet.get())
        for end in [ends.0, ends.1] { #expect((end is L2CAPMdocTransport) == isL2CAP) }
        try await ends.0.send([1, 2, 3])
        #expect(try await ends.1.receive() == [1, 2, 3])
        try await ends.1.send([4])
        #expect(try await ends.0.receive() == [4])
        await ends.0.close()
        #expect(try await ends.1.receive() == nil)
    }

    @Test(arguments: [false, true])
    func aWalletDoesNotTakeAnotherReaderForIts(hasL2CAP: Bool) async throws {
        let air = MemoryAir(pipe: hasL2CAP ? MemoryPipe(pieceLength: 20) : nil)
        let options = options([.centralClient])
        let (engagement, other) = (try device(options).engagement, try device(options).engagement)
        let reader = Task { try await BLEMdocConnector(radio: air, options: options).connect(to: other) }
        let error = await #expect(throws: MdocError.self) {
            try await air.openTransport(for: .device, mode: .centralClient, options: options, engagement: engagement)
        }
        #expect(error?.code == .keyMismatch)
        #expect(air.modes == [.centralClient])
        // It goes on to wait for its own wallet.
        reader.cancel()
        let cancelled = await #expect(throws: MdocError.self) { try await reader.value }
        #expect(cancelled?.code == .transportFailed)
    }

    @Test func walletsThatCannotBeReached() async throws {
        let offered = options([.peripheralServer])
        let engagement = try device(offered).engagement
        let none = try EngagedDevice(retrievalMethods: []).engagement
        let unreachable: [(connector: BLEMdocConnector, engagement: DeviceEngagement)] = [
            (BLEMdocConnector(radio: MemoryAir(), modes: [.centralClient]), engagement),
            (BLEMdocConnector(radio: MemoryAir()), none),
            (BLEMdocConnector(radio: MemoryAir(isOff: true)), engagement),
        ]
        for (connector, engagement) in unreachable {
            let error = await #expect(throws: MdocError.self) { try await connector.connect(to: engagement) }
            #expect(error?.code == .transportFailed)
        }
        let error = await #expect(throws: MdocError.self) {
            try await MemoryAir().openTransport(
                for: .device,
                mode: .centralClient,
                options: offered,
                engagement: engagement
            )
        }
        #expect(error?.code == .invalidValue)
    }
}

extension Result {
    fileprivate var failure: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
