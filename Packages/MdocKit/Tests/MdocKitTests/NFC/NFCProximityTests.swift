import CryptoCore
import Foundation
import MdocKit
import MdocProximity
import TestSupport
import Testing

/// From a tag that is touched to a session, over one card or with Bluetooth after it.
@Suite struct NFCProximityTests {
    /// The commands of a card from the selection of the mdoc application on; those before it a tag answers.
    private final class Application: NFCDeviceLink {
        let commands: AsyncThrowingStream<[UInt8], any Error>
        private let card: MemoryCard

        init(_ card: MemoryCard, after tag: NFCEngagementTag) {
            self.card = card
            let (commands, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
            self.commands = commands
            Task {
                var tag = tag
                var isSelected = false
                for try await command in card.commands {
                    isSelected = isSelected || command.starts(with: [0, 0xa4, 4, 0, 7, 0xa0, 0, 0, 2, 0x48, 4, 0])
                    if isSelected {
                        continuation.yield(command)
                    } else {
                        try await card.respond(tag.respond(to: command).response)
                    }
                }
                continuation.finish()
            }
        }

        func respond(_ response: [UInt8]) async throws { try await card.respond(response) }
        func close() async { await card.close() }
    }

    /// A wallet whose tag is touched.
    private struct Wallet {
        let engagement: DeviceEngagement
        let key: PrivateKey
        let select: HandoverSelect
        let card = MemoryCard()
        let application: Application

        init(offering method: DeviceRetrievalMethod) throws {
            key = try PrivateKey.generate(.p256)
            engagement = try DeviceEngagement(eDeviceKey: key.publicKey, retrievalMethods: [])
            select = try HandoverSelect(deviceEngagement: engagement, retrievalMethods: [method])
            application = Application(card, after: try NFCEngagementTag(showing: select))
        }

        /// Answers every request with nothing.
        func serve(over transport: some MdocTransport) async throws -> Int {
            let session = await ProximityHolderSession(
                try EngagedDevice(engagement: engagement, key: key),
                handover: .nfc(select: select.encodedBytes),
                over: transport,
                clock: ManualClock()
            )
            var count = 0
            while try await session.nextRequest() != nil {
                try await session.respond(DeviceResponse(documents: [], documentErrors: [(.mDL, .dataNotReturned)]))
                count += 1
            }
            return count
        }
    }

    /// Reads the tag.
    private func touch(_ card: MemoryCard) async throws -> NFCHandover {
        var reader = NFCEngagementReader(request: nil)
        var step = try reader.start()
        while true {
            switch step {
            case .send(let command), .wait(_, let command):
                step = try reader.receive(try await card.transceive(command.encoded()))
            case .complete(let handover):
                return handover
            }
        }
    }

    /// Asks twice and ends the session.
    private func ask(_ handover: NFCHandover, over transport: some MdocTransport) async throws {
        let session = try await ProximityReaderSession(
            engagement: handover.deviceEngagement,
            handover: handover.handover,
            readerKey: PrivateKey.generate(.p256),
            over: transport
        )
        for _ in 0..<2 {
            let response = try await session.response(to: SessionFixture.request())
            #expect(response.documentErrors.map(\.docType) == [.mDL])
        }
        await session.terminate()
    }

    @Test(arguments: [false, true])
    func engagementAndTransferOverOneCard(isExtended: Bool) async throws {
        let options = try NFCExamples.options(4096, 4096)
        let wallet = try Wallet(offering: .nfc(options))
        let serving = Task {
            try await wallet.serve(
                over: NFCDeviceMdocTransport.accept(
                    over: wallet.application,
                    transfer: NFCTransferDevice(options: options)
                )
            )
        }
        let handover = try await touch(wallet.card)
        let told = try #require(try handover.retrievalMethods().compactMap(\.nfcOptions).first)
        #expect(told == options)
        let connector = NFCMdocConnector(over: wallet.card, options: told, supportsExtendedLength: isExtended)
        let transport = try await connector.connect(to: handover.deviceEngagement)
        try await ask(handover, over: transport)
        #expect(try await serving.value == 2)
        #expect(wallet.card.longest.command <= (isExtended ? 4096 + 9 : 255 + 6))
    }

    @Test func aWalletWithoutTransferOverNFC() async throws {
        let (offering, not) = (
            try EngagedDevice(retrievalMethods: [.nfc(NFCExamples.options(255, 256))]).engagement,
            try EngagedDevice(retrievalMethods: []).engagement
        )
        let error = await #expect(throws: MdocError.self) {
            try await NFCMdocConnector(over: MemoryCard()).connect(to: not)
        }
        #expect(error?.code == .transportFailed)
        let card = MemoryCard()
        let transfer = NFCTransferDevice(options: try NFCExamples.options(255, 256))
        async let device = NFCDeviceMdocTransport.accept(over: card, transfer: transfer)
        let reader = try await NFCMdocConnector(over: card).connect(to: offering)
        async let sent: Void = reader.send([1])
        #expect(try await device.receive() == [1])
        try await device.send([2])
        try await sent
        #expect(try await reader.receive() == [2])
    }

    @Test(arguments: BLEMode.allCases)
    func engagementOverACardAndTransferOverTheAir(_ mode: BLEMode) async throws {
        let service = UUID()
        let options = BLEOptions(
            peripheralServerUUID: mode == .peripheralServer ? service : nil,
            centralClientUUID: mode == .centralClient ? service : nil
        )
        let (wallet, air) = (try Wallet(offering: .ble(options)), MemoryAir())
        let serving = Task {
            let transport = try await air.openTransport(
                for: .device,
                mode: mode,
                options: options,
                engagement: wallet.engagement
            )
            return try await wallet.serve(over: transport)
        }
        let handover = try await touch(wallet.card)
        let told = try #require(try handover.retrievalMethods().compactMap(\.bleOptions).first)
        let transport = try await BLEMdocConnector(radio: air, options: told).connect(to: handover.deviceEngagement)
        try await ask(handover, over: transport)
        #expect(try await serving.value == 2)
    }
}
