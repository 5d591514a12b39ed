import MdocKit
import MdocProximity
import TestSupport
import Testing

/// Damaged handover messages, commands and parts give a typed error or a value, and never trap.
@Suite(.serialized) struct ProximityBadInputTests {
    private func targets() throws -> [ParserTarget] {
        let select = try NFCExamples.staticSelect()
        let request = try NFCExamples.request()
        return [
            ParserTarget(name: "NDEF", input: select.encodedBytes) { _ = try NDEFMessage(decoding: $0) },
            ParserTarget(name: "Hs", input: try AnnexD.figure("nfc-handover-select")) { bytes in
                _ = try HandoverSelect(decoding: bytes).retrievalMethods(answering: request)
            },
            ParserTarget(name: "static Hs", input: select.encodedBytes) { bytes in
                _ = try HandoverSelect(decoding: bytes).retrievalMethods()
            },
            ParserTarget(name: "Hr", input: try AnnexD.figure("nfc-handover-request")) { bytes in
                _ = try HandoverRequest(decoding: bytes)
            },
            ParserTarget(name: "Hr with engagement", input: request.encodedBytes) {
                _ = try HandoverRequest(decoding: $0)
            },
            ParserTarget(name: "container", input: try CapabilityContainer(isWritable: true).encodedBytes) { bytes in
                _ = try CapabilityContainer(decoding: bytes)
            },
            ParserTarget(name: "reader engagement", input: [UInt8](NFCReaderEngagement().encodedBytes)) { bytes in
                _ = try NFCReaderEngagement(decoding: bytes)
            },
        ]
    }

    @Test func truncationAtEveryByte() throws {
        for target in try targets() { target.expectRefusalOfTruncations() }
    }

    @Test func seventyThousandMutations() throws {
        try ParserTarget.mutate(targets(), rounds: 10_000, seed: 7816)
    }

    @Test func mutatedDialogues() throws {
        let request = try NFCExamples.request()
        var good = try NFCEngagementTag(negotiating: TNEPServiceParameters())
        var reader = NFCEngagementReader(request: request)
        let run = try NFCExamples.run(&reader, &good)
        var mutator = Mutator(seed: 14443)
        var generator = RepeatableRandomNumberGenerator(seed: 14443)
        var completed = 0
        var refused = 0
        for _ in 0..<500 {
            // A command that goes wrong gives a response with a status word; the dialogue goes on.
            var tag = try NFCEngagementTag(negotiating: TNEPServiceParameters())
            let place = Int.random(in: run.commands.indices, using: &generator)
            for (index, command) in run.commands.enumerated() {
                let bytes = index == place ? mutator.mutate(command.encoded()) : command.encoded()
                let (response, event) = tag.respond(to: bytes)
                #expect(response.count >= 2)
                if case .requested(let request) = event {
                    try? tag.answer(with: NFCExamples.select(answering: request))
                }
            }
            // A response that goes wrong ends the reader with an error, or changes nothing that matters.
            var reader = NFCEngagementReader(request: request)
            _ = try reader.start()
            do {
                for (index, response) in run.responses.enumerated() {
                    let bytes = index == place ? mutator.mutate(response) : response
                    if case .complete = try reader.receive(bytes) { completed += 1 }
                }
            } catch {
                refused += 1
            }
        }
        #expect(refused > 0)
        print("mutations: 2000 dialogues, \(completed) completed, \(refused) refused by the reader")
    }

    @Test func mutatedTransfers() throws {
        var mutator = Mutator(seed: 53)
        let options = try NFCExamples.options(255, 256)
        var refused = 0
        let commands = ["00a4040007a0000002480400", "10c300000553820003 01", "00c300000202030000", "00c0000000"]
        for _ in 0..<1000 {
            var device = NFCTransferDevice(options: options, maximumMessageSize: 100)
            for command in commands {
                let bytes = try #require([UInt8](hex: command))
                for input in [bytes, mutator.mutate(bytes)] {
                    if case .message(let message) = device.receive(input) {
                        #expect(message.count <= 100)
                        _ = try device.answer(with: [UInt8](repeating: 0, count: 600))
                    }
                }
            }
            var reader = try NFCTransferReader(options: options, maximumMessageSize: 100)
            _ = try reader.start()
            do {
                _ = try reader.receive([0x90, 0])
                _ = try reader.send([1])
                for response in [[0x53, 0x04, 1, 0x61, 3], [1, 2, 3, 0x90, 0]] as [[UInt8]] {
                    _ = try reader.receive(mutator.mutate(response))
                }
            } catch {
                refused += 1
            }
        }
        #expect(refused > 0)
    }
}
