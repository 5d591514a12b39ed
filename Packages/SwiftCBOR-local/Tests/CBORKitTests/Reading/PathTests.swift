import TestSupport
import Testing

@testable import CBORKit

/// The paths of items: what they say, and what they cost.
@Suite struct PathTests {
    /// All items below a view, each with the path that the way to it makes.
    private func items(below view: CBORView, _ path: [CBORPath.Step] = []) throws -> [(CBORView, [CBORPath.Step])] {
        var items = [(view, path)]
        switch view.kind {
        case .array:
            for (index, element) in try view.array().enumerated() {
                items += try self.items(below: element, path + [.index(index)])
            }
        case .map:
            for (index, pair) in try view.map().enumerated() {
                let key = pair.key
                items += try self.items(below: key, path + [.keyItem(index)])
                let step = key.tape.read { $0.step(forKey: key.entry) }
                items += try self.items(below: pair.value, path + [step])
            }
        case .tag:
            let tag = try #require(view.tag)
            items += try self.items(below: view.content(ofTag: tag), path + [.tag(tag)])
        default: break
        }
        return items
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func everyItemHasThePathThatLeadsToIt(seed: UInt64) throws {
        var generator = CBORGenerator(seed: seed)
        for _ in 0..<100 {
            let document = try CBORDocument(generator.encoding(of: generator.value()))
            for (item, path) in try items(below: document.root).shuffled(using: &generator.random) {
                #expect(item.path.steps == path)
            }
        }
    }

    @Test func pathLeadsIntoEmbeddedItems() throws {
        let value: CBOR = ["a": [0, .tagged(24, .bytes(CBOR.array([1, ["b": 2]]).encoded()))]]
        for indexes in [false, true] {
            var options = CBORReadingOptions()
            options.indexesEmbeddedItems = indexes
            let root = try CBORDocument(value.encoded(), options: options).root
            let element = try root.map().required("a").array().element(at: 1).embedded(options: options).root
            let item = try element.array().element(at: 1).map().required("b")
            #expect(item.path.description == "a[1]<24><<>>[1].b")
        }
    }

    /// Keys that are arrays, and a text key in chunks, end right before their values.
    @Test func pathNamesKeysOfManyItems() throws {
        let root = try CBORDocument([UInt8](figure: "bf8201820203017f61616162ff820405ff")).root
        let second = try #require(Array(try root.map()).last).value
        #expect(try second.array().element(at: 1).path.description == "{7f61616162ff}[1]")
        #expect(try #require(Array(try root.map()).first).value.path.description == "{8201820203}")
    }

    /// The paths of all items cost one pass and their own steps, wherever the siblings stand.
    @Test func pathsCostOnePassOverAllItems() throws {
        let count = 2000
        let pairs = (0..<count).map { CBORMap.Pair(key: .integer($0), value: 0) }
        let value = CBOR.array([
            .map(CBORMap(pairs + [CBORMap.Pair(key: "last", value: .array(.init(repeating: 1, count: count)))]))
        ])
        let document = try CBORDocument(value.encoded())
        let last = try document.root.array().element(at: 0).map().required("last").array()
        #expect(document.tape.places.entriesTouched == 0)
        for (index, element) in last.enumerated() {
            #expect(element.path.steps == [.index(0), .key("last"), .index(index)])
        }
        let entries = 1 + 1 + 2 * count + 1 + 1 + count
        #expect(document.tape.places.entriesTouched == entries + 3 * count)
    }

    @Test func pathsAreTheSameFromManyTasks() async throws {
        let value = CBOR.array((0..<1000).map { .array([.integer($0)]) })
        let root = try CBORDocument(value.encoded()).root
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    (try? root.array().element(at: 999).array().element(at: 0).path.steps) == [.index(999), .index(0)]
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
